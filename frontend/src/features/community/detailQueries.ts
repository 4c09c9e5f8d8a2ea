import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, own } from './queryParts';
import { fetchPost, fetchComments, fetchAnswers, fetchComment } from './detailApi';

export function postQuery(memberSid: number | null, sid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'post', sid],
    queryFn: ({ signal }) => fetchPost(memberSid, sid, signal),
    staleTime: 0,
  });
}

export function commentsQuery(memberSid: number | null, boardSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'comments', boardSid],
    queryFn: ({ pageParam, signal }) => fetchComments(memberSid, boardSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}

/** All replies to a comment; its own page has the first three. */
export function answersQuery(memberSid: number | null, commentSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'answers', commentSid],
    queryFn: ({ pageParam, signal }) => fetchAnswers(memberSid, commentSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}

export function commentQuery(memberSid: number, commentSid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'comment', commentSid],
    queryFn: ({ signal }) => fetchComment(memberSid, commentSid, signal),
    staleTime: 0,
  });
}
