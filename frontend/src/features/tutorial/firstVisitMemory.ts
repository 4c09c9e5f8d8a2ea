import type { Member } from '@/shared/api/types';

/** What a member is shown once, by the names of the member's flags. */
export type FirstVisitFlag = 'tutorial' | 'welcomePopup';
export const FIRST_VISIT_FLAGS: readonly FirstVisitFlag[] = ['tutorial', 'welcomePopup'];

/** True while something is still to be shown or reported. */
export function isFirstVisit(member: Pick<Member, FirstVisitFlag>): boolean {
  return FIRST_VISIT_FLAGS.some((flag) => !member[flag]);
}

const keyOf = (memberSid: number) => `first-visit-${memberSid}`;

/** What this member has seen on this device, reported or not. */
export function seenFlags(memberSid: number): FirstVisitFlag[] {
  const stored = (localStorage.getItem(keyOf(memberSid)) ?? '').split(' ');
  return FIRST_VISIT_FLAGS.filter((flag) => stored.includes(flag));
}

export function rememberSeen(memberSid: number, flag: FirstVisitFlag): void {
  localStorage.setItem(keyOf(memberSid), [...new Set([...seenFlags(memberSid), flag])].join(' '));
}
