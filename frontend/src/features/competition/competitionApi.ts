import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { competitionKeys } from './competitionKeys';
import type { BoardKind, Competition, JoinBody, Joined, LeagueBody, LeaveBody, Left, NewLeague, Objection } from './types';

const REFRESH_MS = 30_000;
/** Pages that one refresh reloads; with more of them it waits longer, so that reading on never costs more calls. */
const PAGES_A_REFRESH = 4;

/** All events that the member sees, running ones first, page by page. */
export function competitionsQuery(memberSid: number) {
  return infiniteQueryOptions({
    queryKey: [...competitionKeys.all(memberSid), 'list'],
    queryFn: ({ pageParam, signal }) => unwrap(api.GET('/api/v1/competition/list', { params: { query: { page: pageParam } }, signal })),
    initialPageParam: 0,
    getNextPageParam: (last, _pages, page) => (last.hasNext ? page + 1 : null),
    ...moneyQuery,
  });
}

/** An event. A league that the member has not joined needs its invite code. */
export function competitionQuery(memberSid: number, eventSid: number, inviteCode: string | null) {
  return queryOptions({
    queryKey: [...competitionKeys.all(memberSid), 'event', eventSid, inviteCode],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/v1/competition/{eventSid}', {
          params: { path: { eventSid }, query: inviteCode === null ? {} : { inviteCode } },
          signal,
        }),
      ),
    ...moneyQuery,
  });
}

/** The ranking, fifty places per page. A final one is not refreshed. */
export function boardQuery(memberSid: number, eventSid: number, kind: BoardKind) {
  return infiniteQueryOptions({
    queryKey: [...competitionKeys.all(memberSid), 'board', eventSid, kind],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/api/v1/competition/{eventSid}/board', {
          params: { path: { eventSid }, query: { kind, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.cursor ?? null,
    ...moneyQuery,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      return pages[0]?.isFinal === true ? false : REFRESH_MS * Math.max(1, Math.ceil(pages.length / PAGES_A_REFRESH));
    },
  });
}

/** What another entrant owned a quarter of an hour ago, of an event that shows it. */
export function entrantHoldingsQuery(memberSid: number, eventSid: number, userSid: number) {
  return queryOptions({
    queryKey: [...competitionKeys.all(memberSid), 'holdings', eventSid, userSid],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/competition/{eventSid}/user/{userSid}/holdings', { params: { path: { eventSid, userSid } }, signal })),
    ...moneyQuery,
  });
}

/** Repeating a `reqSid` with the same body returns the first reply; so do joining and leaving. */
export function postLeague(body: LeagueBody): Promise<NewLeague> {
  return unwrap(api.POST('/api/v1/competition/league', { body }));
}

export function closeLeague(memberSid: number, eventSid: number): Promise<Competition> {
  return unwrap(api.PATCH('/api/v1/competition/league/{eventSid}', { params: { path: { eventSid } }, body: { memberSid, isJoiningClosed: true } }));
}

export function postJoin(eventSid: number, body: JoinBody): Promise<Joined> {
  return unwrap(api.POST('/api/v1/competition/{eventSid}/join', { params: { path: { eventSid } }, body }));
}

/** The same text again finds the first objection. */
export function postObjection(memberSid: number, eventSid: number, text: string): Promise<Objection> {
  return unwrap(api.POST('/api/v1/competition/{eventSid}/objection', { params: { path: { eventSid } }, body: { memberSid, text } }));
}

export function deleteJoin(eventSid: number, body: LeaveBody): Promise<Left> {
  return unwrap(api.DELETE('/api/v1/competition/{eventSid}/join', { params: { path: { eventSid } }, body }));
}
