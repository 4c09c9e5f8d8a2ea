import { memberSid, onSessionChange } from '@/shared/api/session';

// What a member has typed and not sent, for the life of the tab: it outlives a reload, and never its member.
const PREFIX = 'order-draft ';

/** A stored draft; null when there is none. */
export function readDraft(ofMember: number, name: string): string | null {
  return sessionStorage.getItem(keyOf(ofMember, name));
}

export function writeDraft(ofMember: number, name: string, text: string): void {
  sessionStorage.setItem(keyOf(ofMember, name), text);
}

export function removeDraft(ofMember: number, name: string): void {
  sessionStorage.removeItem(keyOf(ofMember, name));
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
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX) && (own === null || !key.startsWith(own)));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Storage is unavailable: nothing was stored.
  }
}

function keyOf(ofMember: number, name: string): string {
  return `${PREFIX}${String(ofMember)} ${name}`;
}
