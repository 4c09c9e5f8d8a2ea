import type { QueryKey } from '@tanstack/react-query';
import { readMemberSid } from '@/shared/api/sessionCookies';

/** The last data of one query. */
export interface KnownEntry {
  key: QueryKey;
  atMs: number;
  data: unknown;
}

const STORAGE_KEY = 'last-known';
/** Incremented when the stored shape changes; older files are discarded. */
const VERSION = 1;
const MAX_ENTRIES = 60;
/** Opened articles are kept apart, so that prices of an hour's browsing do not displace them. */
const MAX_ARTICLES = 20;
const MAX_ENTRY = 200_000;
const MAX_FILE = 1_500_000;
/** Older data would mislead more than it helps. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

interface File extends Owner {
  version: number;
  entries: KnownEntry[];
}

/** The member and the release of stored data; both must match. */
export interface Owner {
  memberSid: number | null;
  build: string;
}

/** The release of this page. */
export function buildOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content ?? '';
}

/** The stored data of one query, for the member in the cookies. */
export function lastKnownOf(key: QueryKey): KnownEntry | undefined {
  const wanted = JSON.stringify(key);
  return readLastKnown({ memberSid: readMemberSid(), build: buildOfPage() }, Date.now()).find((entry) => JSON.stringify(entry.key) === wanted);
}

/** The stored data of this member and release. Anything else is wiped. */
export function readLastKnown({ memberSid, build }: Owner, nowMs: number): KnownEntry[] {
  try {
    // Runs before the first render: only the owner is validated, to save bytes.
    const file = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<File> | null;
    if (file?.version === VERSION && file.memberSid === memberSid && file.build === build && file.entries) {
      return file.entries.filter(({ atMs }) => atMs <= nowMs && nowMs - atMs < MAX_AGE_MS);
    }
  } catch {
    // Unreadable data counts as absent.
  }
  wipeLastKnown();
  return [];
}

/** Stores the newest entries that fit. Without storage nothing is kept. */
export function writeLastKnown({ memberSid, build }: Owner, entries: readonly KnownEntry[]): void {
  let room = MAX_FILE;
  const kept: KnownEntry[] = [];
  let articles = 0;
  for (const entry of [...entries].sort((a, b) => b.atMs - a.atMs)) {
    if (!isKept(entry.key)) continue;
    const length = JSON.stringify(entry).length;
    if (length > MAX_ENTRY || length > room) continue;
    const isArticle = entry.key.includes('article');
    if (isArticle ? articles === MAX_ARTICLES : kept.length - articles === MAX_ENTRIES) continue;
    if (isArticle) articles += 1;
    room -= length;
    kept.push(entry);
  }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ version: VERSION, build, memberSid, entries: kept }));
  } catch {
    wipeLastKnown();
  }
}

/** Wipes everything. Called when a session ends or changes. */
export function wipeLastKnown(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage there is nothing to wipe.
  }
}

/** Previews and searches are useless later. Sparklines have an entry per row and would displace the rows themselves. */
function isKept(key: QueryKey): boolean {
  return !key.some((part) => part === 'order-terms' || part === 'search' || part === 'preview' || part === 'sparkline');
}
