import { sidOf } from '@/features/community/communityPaths';

/** What the editor writes: something new, or a text that is there. */
export type WritingMode =
  | { kind: 'post'; about: { code: string; name: string } | null }
  | { kind: 'editPost'; sid: number }
  | { kind: 'comment'; boardSid: number }
  | { kind: 'editComment'; sid: number }
  | { kind: 'reply'; commentSid: number };

const LONGEST_POST = 2_000;
const LONGEST_COMMENT = 500;
const MOST_PHOTOS_OF_POST = 5;
const MOST_PHOTOS_OF_COMMENT = 2;

/** The mode of an address; null when it names none. */
export function modeOf(params: URLSearchParams): WritingMode | null {
  const isComment = params.get('isComment') === 'true';
  const written = params.get('writeSid');
  if (written !== null) {
    const sid = sidOf(written);
    return sid === null ? null : { kind: isComment ? 'editComment' : 'editPost', sid };
  }
  if (isComment) {
    const boardSid = sidOf(params.get('boardSid') ?? params.get('boardSId'));
    return boardSid === null ? null : { kind: 'comment', boardSid };
  }
  if (params.get('isAnswer') === 'true') {
    const commentSid = sidOf(params.get('commentSid'));
    return commentSid === null ? null : { kind: 'reply', commentSid };
  }
  const code = params.get('code');
  const name = params.get('name');
  return { kind: 'post', about: code && name ? { code, name } : null };
}

/** Names the draft of a mode. */
export function draftNameOf(mode: WritingMode): string {
  switch (mode.kind) {
    case 'post':
      return 'community post';
    case 'editPost':
    case 'editComment':
      return `community ${mode.kind} ${mode.sid}`;
    case 'comment':
      return `community comment ${mode.boardSid}`;
    case 'reply':
      return `community reply ${mode.commentSid}`;
  }
}

export function isPostMode({ kind }: WritingMode): boolean {
  return kind === 'post' || kind === 'editPost';
}

export function limitOf(mode: WritingMode): number {
  return isPostMode(mode) ? LONGEST_POST : LONGEST_COMMENT;
}

export function mostPhotosOf(mode: WritingMode): number {
  return isPostMode(mode) ? MOST_PHOTOS_OF_POST : MOST_PHOTOS_OF_COMMENT;
}

/** The length as the server counts it. */
export function lengthOf(text: string): number {
  return [...sentText(text)].length;
}

export function sentText(text: string): string {
  return text.normalize('NFC').trim();
}
