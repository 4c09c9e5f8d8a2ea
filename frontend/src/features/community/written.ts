import type { Written } from './Author';
import type { Comment, Post } from './types';

export function authorOfPost({ writerId, ...post }: Post): Written {
  return { ...post, userSid: writerId };
}

export function authorOfComment({ userNickName, ...comment }: Comment): Written {
  return { ...comment, nickname: userNickName };
}
