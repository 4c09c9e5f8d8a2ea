/** A new notification of the member, or unread ones that were taken back; pushed by the market. */
export interface Notice {
  /** How many are unread now. */
  unread: number;
}

type NoticeListener = (notice: Notice) => void;

const listeners = new Set<NoticeListener>();

/** Calls back for each notice. Earlier ones are in the count that a listener fetches. Returns the cleanup. */
export function onNotice(listener: NoticeListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function emitNotice(notice: Notice): void {
  for (const listener of listeners) listener(notice);
}
