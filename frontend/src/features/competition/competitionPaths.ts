export const competitionPaths = {
  home: '/competition',
} as const;

export function eventHref(eventSid: number): string {
  return `${competitionPaths.home}/${eventSid}`;
}

export function leaderboardHref(eventSid: number): string {
  return `${eventHref(eventSid)}/leaderboard`;
}

/** The address that others join a league with. */
export function inviteUrl(eventSid: number, code: string): string {
  return `${location.origin}${eventHref(eventSid)}?code=${encodeURIComponent(code)}`;
}
