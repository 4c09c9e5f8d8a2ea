import { create } from 'zustand';

/** An answer that the server has not confirmed. */
export interface UnsentAnswer {
  memberSid: number;
  /** The handing-out it answers. */
  sid: number;
  answer: readonly string[];
  /** When it was given, RFC 3339. */
  answeredAt: string;
}

const STORAGE_KEY = 'unsent-answers';
const MAX_ANSWERS = 200;

const useStore = create<{ answers: readonly UnsentAnswer[] }>(() => ({ answers: read() }));

/** The unsent answers of a member, oldest first. They survive a reload. */
export function unsentAnswersOf(memberSid: number): readonly UnsentAnswer[] {
  return useStore.getState().answers.filter((answer) => answer.memberSid === memberSid);
}

/** All unsent answers; select what a component needs. */
export function useUnsentAnswers(): readonly UnsentAnswer[] {
  return useStore((state) => state.answers);
}

/** Keeps an answer to be sent later. The first answer of a handing-out counts. */
export function keepAnswer(answer: UnsentAnswer): void {
  const { answers } = useStore.getState();
  if (answers.some(({ sid, memberSid }) => sid === answer.sid && memberSid === answer.memberSid)) return;
  write([...answers, answer].slice(-MAX_ANSWERS));
}

export function forgetAnswer({ memberSid, sid }: Pick<UnsentAnswer, 'memberSid' | 'sid'>): void {
  write(useStore.getState().answers.filter((answer) => answer.sid !== sid || answer.memberSid !== memberSid));
}

function write(answers: readonly UnsentAnswer[]): void {
  useStore.setState({ answers });
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(answers));
  } catch {
    // Storage is unavailable or full: the answers last until the page is closed.
  }
}

function read(): UnsentAnswer[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isAnswer) : [];
  } catch {
    return [];
  }
}

function isAnswer(value: unknown): value is UnsentAnswer {
  const { memberSid, sid, answer, answeredAt } = (value ?? {}) as Record<string, unknown>;
  return typeof memberSid === 'number' && typeof sid === 'number' && typeof answeredAt === 'string' && Array.isArray(answer);
}
