import { api, unwrap } from '@/shared/api/client';
import type { AnswerBody, Comment, CommentBody, CommentChangeBody, Post, PostBody, PostChangeBody } from './types';

/** Repeating a `reqSid` with the same body returns the first reply. */
export function sendPost(body: PostBody): Promise<Post> {
  return unwrap(api.POST('/api/v1/community/post', { body }));
}

export function putPost(body: PostChangeBody): Promise<Post> {
  return unwrap(api.PUT('/api/v1/community/post', { body }));
}

export function sendComment(body: CommentBody): Promise<Comment> {
  return unwrap(api.POST('/api/v1/community/comment', { body }));
}

export function putComment(body: CommentChangeBody): Promise<Comment> {
  return unwrap(api.PUT('/api/v1/community/comment', { body }));
}

export function sendAnswer(body: AnswerBody): Promise<Comment> {
  return unwrap(api.POST('/api/v1/community/answer', { body }));
}
