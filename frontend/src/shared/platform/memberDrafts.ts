import { memberSid, onSessionChange } from '@/shared/api/session';

// What a member has typed and not sent: it outlives a reload, and never its member. Amounts are kept for the life of the tab, texts
// in the local storage until they are sent.
const PREFIX = 'draft ';

/** A stored draft; null when there is none. */
export function readDraft(ofMember: number, name: string, storage = sessionStorage): string | null {
  return storage.getItem(keyOf(ofMember, name));
}

export function writeDraft(ofMember: number, name: string, text: string, storage = sessionStorage): void {
  storage.setItem(keyOf(ofMember, name), text);
}

export function removeDraft(ofMember: number, name: string, storage = sessionStorage): void {
  storage.removeItem(keyOf(ofMember, name));
}

/**
 * Removes the drafts of everybody but the current member, now and whenever the member changes or logs out. An expired session
 * keeps its drafts, because the member continues after another login. Returns the cleanup.
 */
export function removeDraftsOfOthers(): () => void {
  removeAllExcept(memberSid());
  return onSessionChange((current, ended) => {
    if (ended !== 'expired') removeAllExcept(current);
  });
}

function removeAllExcept(current: number | null): void {
  try {
    const own = current === null ? null : keyOf(current, '');
    for (const storage of [sessionStorage, localStorage]) {
      const keys = Object.keys(storage).filter((key) => key.startsWith(PREFIX) && (own === null || !key.startsWith(own)));
      for (const key of keys) storage.removeItem(key);
    }
  } catch {
    // Storage is unavailable: nothing was stored.
  }
}

function keyOf(ofMember: number, name: string): string {
  return `${PREFIX}${String(ofMember)} ${name}`;
}
