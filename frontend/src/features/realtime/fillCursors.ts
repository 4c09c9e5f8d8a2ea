/** The last fill sequence received on this device, by member, so that a new page can request the fills after it. */
export interface FillCursorStore {
  /** Null when unknown. */
  read: (memberSid: number) => number | null;
  write: (memberSid: number, seq: number) => void;
}

const STORAGE_KEY = 'last-fills';
/** A shared device keeps a few members. */
const MAX_MEMBERS = 8;

export const fillCursors: FillCursorStore = {
  read(memberSid) {
    return storedCursors().find(([member]) => member === memberSid)?.[1] ?? null;
  },
  write(memberSid, seq) {
    const others = storedCursors().filter(([member]) => member !== memberSid);
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify([[memberSid, seq], ...others].slice(0, MAX_MEMBERS)));
    } catch {
      // Storage is unavailable or full: a new page starts without a cursor.
    }
  },
};

/** Members and their last sequence, most recent first. */
function storedCursors(): [number, number][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [number, number] {
  return Array.isArray(entry) && entry.length === 2 && entry.every(Number.isSafeInteger);
}
