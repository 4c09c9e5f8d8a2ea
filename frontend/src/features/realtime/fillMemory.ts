import { memberSid } from '@/shared/api/session';

/** The newest fill this device has been told of, so that a new page can ask for what came after it. */
export interface FillMemory {
  /** The signed-in member's; null when none is known. */
  read: () => number | null;
  write: (seq: number) => void;
}

const STORAGE_KEY = 'last-fill';

export const fillMemory: FillMemory = {
  read() {
    try {
      const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as { memberSid?: unknown; seq?: unknown } | null;
      return stored !== null && stored.memberSid === memberSid() && Number.isSafeInteger(stored.seq) ? (stored.seq as number) : null;
    } catch {
      return null;
    }
  },
  write(seq) {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ memberSid: memberSid(), seq }));
    } catch {
      // Storage may be switched off or full; a new page then starts without a memory.
    }
  },
};
