import { api, unwrap } from '@/shared/api/client';
import type { Liked } from './feedApi';
import { given } from './requestParts';
import type { AnswerPage, Comment, CommentPage, Post } from './types';

export function fetchPost(memberSid: number | null, sid: number, signal: AbortSignal): Promise<Post> {
  return unwrap(api.GET('/api/v1/community/get-post-detail', { params: { query: { sid, ...given({ memberSid }) } }, signal }));
}

export function fetchComments(memberSid: number | null, boardSid: number, cursor: string | null, signal: AbortSignal): Promise<CommentPage> {
  return unwrap(api.GET('/api/v1/community/comment', { params: { query: { boardSid, ...given({ memberSid, cursor }) } }, signal }));
}

export function fetchAnswers(memberSid: number | null, commentSid: number, cursor: string | null, signal: AbortSignal): Promise<AnswerPage> {
  return unwrap(api.GET('/api/v1/community/answer', { params: { query: { commentSid, ...given({ memberSid, cursor }) } }, signal }));
}

export function fetchComment(memberSid: number, commentSid: number, signal: AbortSignal): Promise<Comment> {
  return unwrap(api.GET('/api/v1/community/comment-detail', { params: { query: { commentSid, memberSid } }, signal }));
}

/** Survives the page: an undo can end because the member leaves. */
export function deleteComment(commentSid: number): Promise<unknown> {
  return unwrap(api.DELETE('/api/v1/community/comment', { params: { query: { commentSid } }, body: {}, keepalive: true }));
}

export function postCommentLike(memberSid: number, { sid, boardSid }: Comment, like: boolean): Promise<Liked> {
  const init = { params: { query: { commentSid: sid, memberSid, memberName: '', bdSid: boardSid } }, body: {} };
  return unwrap(like ? api.POST('/api/v1/community/comment-like-up', init) : api.POST('/api/v1/community/comment-like-down', init));
}
