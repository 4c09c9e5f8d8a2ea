import { api, unwrap } from '@/shared/api/client';
import type { components } from '@/shared/api/schema';
import type { ActionPage, ActionType, AnswerBody, AnswerPage, BlockedPage, Category, Comment, CommentBody, CommentChangeBody, CommentPage, FeedType, MemberInfo, Numbers, Post, PostBody, PostChangeBody, PostPage, Relation, ReportBody } from './types';

type Schemas = components['schemas'];

export interface FeedRequest {
  memberSid: number | null;
  category: Category;
  type: FeedType;
  code: string | null;
  size: number;
  cursor: string | null;
}

export function fetchFeed({ memberSid, code, cursor, ...query }: FeedRequest, signal: AbortSignal): Promise<PostPage> {
  return unwrap(api.GET('/api/v1/community/list', { params: { query: { ...query, ...given({ memberSid, code, cursor }) } }, signal }));
}

export function fetchTop(memberSid: number | null, category: Category, signal: AbortSignal): Promise<{ posts: Post[] }> {
  return unwrap(api.GET('/api/v1/community/top-3', { params: { query: { category, ...given({ memberSid }) } }, signal }));
}

export function fetchNewCount(memberSid: number | null, category: Category, after: number, signal: AbortSignal): Promise<{ count: number }> {
  return unwrap(api.GET('/api/v1/community/new-count', { params: { query: { category, after, ...given({ memberSid }) } }, signal }));
}

export function fetchPost(memberSid: number | null, sid: number, signal: AbortSignal): Promise<Post> {
  return unwrap(api.GET('/api/v1/community/get-post-detail', { params: { query: { sid, ...given({ memberSid }) } }, signal }));
}

/** Repeating a `reqSid` with the same body returns the first reply. */
export function sendPost(body: PostBody): Promise<Post> {
  return unwrap(api.POST('/api/v1/community/post', { body: sent<Schemas['PostDraft']>(body) }));
}

export function putPost(body: PostChangeBody): Promise<Post> {
  return unwrap(api.PUT('/api/v1/community/post', { body: sent<Schemas['PostChange']>(body) }));
}

export function deletePost(sid: number): Promise<unknown> {
  return unwrap(api.DELETE('/api/v1/community/delete-post', { params: { query: { sid } }, body: {} }));
}

interface Liked {
  isLike: boolean;
  likeCount: number;
}

export function putPostLike(sid: number, like: boolean): Promise<Liked> {
  // The server takes the name from the token.
  const init = { params: { query: { sid, userName: '' } }, body: {} };
  return unwrap(like ? api.PUT('/api/v1/community/like-up', init) : api.PUT('/api/v1/community/like-down', init));
}

export function postCommentLike(memberSid: number, { sid, boardSid }: Comment, like: boolean): Promise<Liked> {
  const init = { params: { query: { commentSid: sid, memberSid, memberName: '', bdSid: boardSid } }, body: {} };
  return unwrap(like ? api.POST('/api/v1/community/comment-like-up', init) : api.POST('/api/v1/community/comment-like-down', init));
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

export function sendComment(body: CommentBody): Promise<Comment> {
  return unwrap(api.POST('/api/v1/community/comment', { body: sent<Schemas['CommentDraft']>(body) }));
}

export function putComment(body: CommentChangeBody): Promise<Comment> {
  return unwrap(api.PUT('/api/v1/community/comment', { body: sent<Schemas['CommentChange']>(body) }));
}

/** Survives the page: an undo can end because the member leaves. */
export function deleteComment(commentSid: number): Promise<unknown> {
  return unwrap(api.DELETE('/api/v1/community/comment', { params: { query: { commentSid } }, body: {}, keepalive: true }));
}

export function sendAnswer(body: AnswerBody): Promise<Comment> {
  return unwrap(api.POST('/api/v1/community/answer', { body: sent<Schemas['AnswerDraft']>(body) }));
}

export function fetchMemberInfo(memberSid: number, userSid: number, signal: AbortSignal): Promise<MemberInfo> {
  return unwrap(api.GET('/api/v1/community/community-member-info', { params: { query: { memberSid, userSid } }, signal }));
}

export function fetchActions(memberSid: number, userSid: number, type: ActionType, cursor: string | null, signal: AbortSignal): Promise<ActionPage> {
  const page = { memberSid, ...given({ cursor }) };
  if (userSid === memberSid || type === 'LIKE') return unwrap(api.GET('/api/v1/community/my-comments-and-likes', { params: { query: { ...page, type } }, signal }));
  return unwrap(api.GET('/api/v1/community/community-member-action', { params: { query: { ...page, type, userSid } }, signal }));
}

export function putFollow(memberSid: number, userSid: number, on: boolean): Promise<Relation> {
  return unwrap(api.PUT('/api/v1/community/follow', { body: { memberSid, userSid, on } }));
}

export function putBlock(memberSid: number, userSid: number, on: boolean): Promise<Relation> {
  return unwrap(api.PUT('/api/v1/community/block', { body: { memberSid, userSid, on } }));
}

export function fetchBlocked(memberSid: number, cursor: string | null, signal: AbortSignal): Promise<BlockedPage> {
  return unwrap(api.GET('/api/v1/community/block/{sid}', { params: { path: { sid: memberSid }, query: given({ cursor }) }, signal }));
}

export function sendReport(body: ReportBody): Promise<unknown> {
  return unwrap(api.POST('/api/v1/community/report', { body: sent<Schemas['ReportBody']>(body) }));
}

/** The values that are there: an absent one is no part of the address. */
function given<Values extends Record<string, unknown>>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/** A body as the generated types want it. */
function sent<Body>(body: Numbers<Body>): Body {
  return body as Body;
}
