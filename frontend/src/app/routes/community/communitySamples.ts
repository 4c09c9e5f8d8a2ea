import type { Comment, MemberInfo, Picture, Post } from '@/features/community/types';
import { MEMBER_SID } from '@/testing/wireSamples';

export const ANN = 200_001;
export const BEN = 200_002;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

export function picture(name: string, rest: Partial<Picture> = {}): Picture {
  return { url: `/files/${name}/1920`, thumbUrl: `/files/${name}/446`, width: 1_920, height: 1_280, placeholder: '#aabbcc', alt: '', ...rest };
}

/** A post of another member. */
export function post(sid: number, rest: Partial<Post> = {}): Post {
  return {
    sid,
    writerId: ANN,
    nickname: 'Ann',
    level: 4,
    assetTotal: 70_000_000,
    frame: null,
    plate: null,
    isOperator: false,
    category: 'STOCK',
    content: `Post ${sid}`,
    contentImg: '',
    images: [],
    tags: [],
    regDate: minutesAgo(5),
    modDate: null,
    isLike: false,
    likeCount: 2,
    isComment: false,
    commentCount: 0,
    isMine: false,
    isMuted: false,
    status: 'PUBLISHED',
    ...rest,
  };
}

export const ownPost = (sid: number, rest: Partial<Post> = {}): Post => post(sid, { writerId: MEMBER_SID, nickname: 'Me', isMine: true, ...rest });

/** A comment of another member on the post with the sid 1. */
export function comment(sid: number, rest: Partial<Comment> = {}): Comment {
  return {
    sid,
    commentSid: sid,
    boardSid: 1,
    bdSid: 1,
    parentSid: null,
    userSid: BEN,
    userNickName: 'Ben',
    level: 1,
    assetTotal: 0,
    frame: null,
    plate: null,
    isOperator: false,
    content: `Comment ${sid}`,
    contentImg: '',
    images: [],
    regDate: minutesAgo(3),
    modDate: null,
    isLike: false,
    likeCount: 0,
    tagUserSid: null,
    tagUserNickName: null,
    answerCount: 0,
    answers: [],
    isMine: false,
    isDeleted: false,
    isBlocked: false,
    status: 'PUBLISHED',
    ...rest,
  };
}

export const ownComment = (sid: number, rest: Partial<Comment> = {}): Comment => comment(sid, { userSid: MEMBER_SID, userNickName: 'Me', isMine: true, ...rest });

export const info: MemberInfo = {
  userSid: ANN,
  nickname: 'Ann',
  level: 4,
  frame: null,
  plate: 'plate-wood',
  postCount: 12,
  commentCount: 34,
  receivedLikes: 1_234,
  joinedMonth: '2026-08',
  isFollowed: false,
  isBlocked: false,
};
