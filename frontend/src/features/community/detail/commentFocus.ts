export const COMMENTS_HEADING = 'comments';

export const headingIdOf = (sid: number): string => `comment-${sid}`;

export function focusComment(sid: number): void {
  document.getElementById(headingIdOf(sid))?.focus();
}

/** Moves the focus off a comment that is about to go: to the next one, the one before, or the heading of all. */
export function focusAfterRemoval(sid: number): void {
  const headings = [...document.querySelectorAll<HTMLElement>('[id^="comment-"]')];
  const at = headings.findIndex(({ id }) => id === headingIdOf(sid));
  // The replies go with their comment.
  const gone = headings[at]?.closest('li');
  const next = headings.slice(at + 1).find((heading) => !gone?.contains(heading)) ?? headings[at - 1] ?? document.getElementById(COMMENTS_HEADING);
  next?.focus();
}
