import { create } from 'zustand';
import { clearSessionCookies, readMemberSid, writeSessionCookies } from './sessionCookies';
import { recordNewToken } from './tokenExpiry';

/** Why a session ended: by the member, or because the server no longer accepts it. */
type SessionEnd = 'logout' | 'expired';

interface SessionState {
  memberSid: number | null;
  ended: SessionEnd | null;
}

const useSessionStore = create<SessionState>(() => ({ memberSid: readMemberSid(), ended: null }));

/** The signed-in member's id; null when signed out. */
export function useMemberSid(): number | null {
  return useSessionStore((state) => state.memberSid);
}

/** The same outside React. */
export function memberSid(): number | null {
  return useSessionStore.getState().memberSid;
}

/** Called with every token reply: login, join and refresh. */
export function startSession(tokens: { accessToken: string; memberSid: number }): void {
  const isAnother = readMemberSid() !== tokens.memberSid;
  writeSessionCookies(tokens);
  recordNewToken(tokens.accessToken);
  useSessionStore.setState({ memberSid: tokens.memberSid, ended: null });
  if (isAnother) notifyOtherTabs();
}

/** Forgets the session on this device. The app listens, clears caches and goes to the login screen. */
export function endSession(why: SessionEnd): void {
  if (useSessionStore.getState().memberSid === null && readMemberSid() === null) return;
  clearSessionCookies();
  useSessionStore.setState({ memberSid: null, ended: why });
  notifyOtherTabs();
}

/** Calls back when the session starts, ends or changes member. Returns the cleanup. */
export function onSessionChange(listener: (memberSid: number | null, ended: SessionEnd | null) => void): () => void {
  return useSessionStore.subscribe((state, previous) => {
    if (state.memberSid !== previous.memberSid) listener(state.memberSid, state.ended);
  });
}

/** Adopts what another tab did to the cookies. */
export function syncSessionWithCookies(): void {
  const fromCookies = readMemberSid();
  const { memberSid: known } = useSessionStore.getState();
  if (fromCookies !== known) useSessionStore.setState({ memberSid: fromCookies, ended: fromCookies === null ? 'logout' : null });
}

/** The storage key that notifies other tabs. */
export const CHANGED_KEY = 'session-changed';

/** Other tabs share neither this state nor, without polling, the cookies. */
function notifyOtherTabs(): void {
  try {
    localStorage.setItem(CHANGED_KEY, `${Date.now()} ${Math.random()}`);
  } catch {
    // Storage is unavailable: the other tabs notice when they become visible.
  }
}
