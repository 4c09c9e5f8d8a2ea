const POSITIONS_KEY = 'reading-positions';
const SIZE_KEY = 'reader-size';
const MAX_POSITIONS = 50;
/** Outside of these a reader starts at the top: barely begun, or at the end. */
const BEGUN = 0.08;
const ENDED = 0.95;

export const READER_SIZES = ['small', 'normal', 'large', 'larger'] as const;
export type ReaderSize = (typeof READER_SIZES)[number];

/** The share of an article above which a member stopped; null where there is nothing to return to. */
export function readingPosition(articleSid: string): number | null {
  const found = positions().find(([sid]) => sid === articleSid);
  return found && found[1] > BEGUN && found[1] < ENDED ? found[1] : null;
}

export function keepReadingPosition(articleSid: string, share: number): void {
  const others = positions().filter(([sid]) => sid !== articleSid);
  write(POSITIONS_KEY, JSON.stringify([[articleSid, Math.round(share * 1_000) / 1_000], ...others].slice(0, MAX_POSITIONS)));
}

export function forgetReadingPosition(articleSid: string): void {
  write(POSITIONS_KEY, JSON.stringify(positions().filter(([sid]) => sid !== articleSid)));
}

export function storedReaderSize(): ReaderSize {
  return READER_SIZES.find((size) => size === read(SIZE_KEY)) ?? 'normal';
}

export function keepReaderSize(size: ReaderSize): void {
  write(SIZE_KEY, size);
}

function positions(): [sid: string, share: number][] {
  try {
    const stored = JSON.parse(read(POSITIONS_KEY) ?? '[]') as unknown;
    if (!Array.isArray(stored)) return [];
    return stored.filter((entry): entry is [string, number] => Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number');
  } catch {
    return [];
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is unavailable or full: the next visit starts at the top.
  }
}
