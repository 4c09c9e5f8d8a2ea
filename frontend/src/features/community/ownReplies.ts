import { onSessionChange } from '@/shared/api/session';

/** The comments that the member replied to on this visit: their replies are shown to the last, which is the own one. */
const repliedTo = new Set<number>();
onSessionChange(() => repliedTo.clear());

export function rememberReplyTo(commentSid: number): void {
  repliedTo.add(commentSid);
}

export function hasRepliedTo(commentSid: number): boolean {
  return repliedTo.has(commentSid);
}
