import { paths } from '@/shared/paths';

/** The addresses of the community; apart from the other paths, because the first load needs only its tab. */
export const communityPaths = {
  home: paths.community,
  detail: `${paths.community}/detail`,
  write: `${paths.community}/new`,
  profile: `${paths.community}/user-profile/:userSid`,
  mine: '/my/posts',
} as const;

export function postHref(sid: number): string {
  return `${communityPaths.detail}?communitySid=${sid}`;
}

/** The author of what somebody wrote who left for good: there is no profile, and nobody to block or to name. */
export const NOBODY = 0;

export function profileHref(userSid: number): string {
  return `${paths.community}/user-profile/${userSid}`;
}

/** The editor of a post about an instrument. */
export function writeAboutHref(code: string, name: string): string {
  return `${communityPaths.write}?${new URLSearchParams({ code, name }).toString()}`;
}

export function editPostHref(sid: number): string {
  return `${communityPaths.write}?writeSid=${sid}`;
}

export function editCommentHref(sid: number): string {
  return `${communityPaths.write}?writeSid=${sid}&isComment=true`;
}

export function commentHref(boardSid: number): string {
  return `${communityPaths.write}?boardSid=${boardSid}&isComment=true`;
}

/** The editor of a reply to a comment, or to another reply. */
export function replyHref(commentSid: number): string {
  return `${communityPaths.write}?commentSid=${commentSid}&isAnswer=true`;
}

/** The posts about an instrument. */
export function itemPostsHref(code: string): string {
  return `${paths.community}?type=ITEM&code=${encodeURIComponent(code)}`;
}

/** An id of the address; null when it is none. */
export function sidOf(text: string | null | undefined): number | null {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null;
}
