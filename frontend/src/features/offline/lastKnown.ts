import type { QueryKey } from '@tanstack/react-query';
import { readMemberSid } from '@/shared/api/sessionCookies';

/** What was last known of one query. */
export interface KnownEntry {
  key: QueryKey;
  atMs: number;
  data: unknown;
}

const STORAGE_KEY = 'last-known';
/** Raised whenever the shape of kept data changes; older files are thrown away. */
const VERSION = 1;
const MAX_ENTRIES = 60;
const MAX_ENTRY = 200_000;
const MAX_FILE = 1_500_000;
/** Older than this it would mislead more than it helps. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

interface File extends Owner {
  version: number;
  entries: KnownEntry[];
}

/** Whose data it is and by which release it was written; both must match to be read. */
export interface Owner {
  memberSid: number | null;
  build: string;
}

/** The release whose page this is. */
export function buildOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content ?? '';
}

/** What is kept of one query for whoever the cookies say is signed in. */
export function lastKnownOf(key: QueryKey): KnownEntry | undefined {
  const wanted = JSON.stringify(key);
  return readLastKnown({ memberSid: readMemberSid(), build: buildOfPage() }, Date.now()).find((entry) => JSON.stringify(entry.key) === wanted);
}

/** What is kept for this member by this release. Anything of another one is wiped. */
export function readLastKnown({ memberSid, build }: Owner, nowMs: number): KnownEntry[] {
  try {
    // Every byte here comes before a first page is drawn: no validation beyond what tells that this release wrote it.
    const file = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<File> | null;
    if (file?.version === VERSION && file.memberSid === memberSid && file.build === build && file.entries) {
      return file.entries.filter(({ atMs }) => atMs <= nowMs && nowMs - atMs < MAX_AGE_MS);
    }
  } catch {
    // Unreadable is the same as absent.
  }
  forgetLastKnown();
  return [];
}

/** Keeps the newest entries that fit. Nothing is kept where storage is switched off or full. */
export function writeLastKnown({ memberSid, build }: Owner, entries: readonly KnownEntry[]): void {
  let room = MAX_FILE;
  const kept: KnownEntry[] = [];
  for (const entry of [...entries].sort((a, b) => b.atMs - a.atMs)) {
    if (!isKept(entry.key)) continue;
    const length = JSON.stringify(entry).length;
    if (length > MAX_ENTRY || length > room) continue;
    room -= length;
    kept.push(entry);
    if (kept.length === MAX_ENTRIES) break;
  }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ version: VERSION, build, memberSid, entries: kept }));
  } catch {
    forgetLastKnown();
  }
}

/** Wipes everything; called whenever a session ends or changes hands. */
export function forgetLastKnown(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // There is nothing to forget where nothing can be stored.
  }
}

/**
 * What an order would cost is only ever asked anew, and searches are nobody's last known state. Sparklines have one entry for
 * each row and would leave no place for the rows themselves.
 */
function isKept(key: QueryKey): boolean {
  return !key.some((part) => part === 'order-terms' || part === 'search' || part === 'preview' || part === 'sparkline');
}
