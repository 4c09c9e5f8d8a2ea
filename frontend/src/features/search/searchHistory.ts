import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import { useMemberSid } from '@/shared/api/session';
import type { components } from '@/shared/api/schema';
import { type SearchKind, typeOf } from './searchKinds';

type Draft = components['schemas']['SearchDraft'];

const HISTORY_LENGTH = 20;

function historyQuery(memberSid: number | null, kind: SearchKind) {
  const type = typeOf(kind);
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid ?? 0), 'searches', type],
    queryFn:
      memberSid === null
        ? skipToken
        : async ({ signal }): Promise<string[]> => {
            const params = { path: { sid: memberSid, type } };
            return (await unwrap(api.GET('/api/v1/search/member/{sid}/type/{type}', { params, signal }))).searchTxtList;
          },
  });
}

/**
 * The member's recent searches of a kind, newest first; empty for visitors. Changes are optimistic; after a failure the next
 * fetch shows the server's list.
 */
export function useSearchHistory(kind: SearchKind) {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  const query = historyQuery(memberSid, kind);
  const { data = [] } = useQuery(query);

  const change = (edit: (texts: readonly string[]) => string[], send: (body: Draft) => Promise<unknown>, searchTxt: string) => {
    if (memberSid === null) return;
    void queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData<string[]>(query.queryKey, (texts) => edit(texts ?? []));
    send({ memberSid, searchTxt, type: typeOf(kind) }).catch(() =>
      queryClient.invalidateQueries({ queryKey: query.queryKey }),
    );
  };

  return {
    texts: data,
    note: (text: string) =>
      change((texts) => [text, ...texts.filter((known) => known !== text)].slice(0, HISTORY_LENGTH), postSearch, text),
    forget: (text: string) => change((texts) => texts.filter((known) => known !== text), deleteSearch, text),
    forgetAll: () => change(() => [], deleteSearch, ''),
  };
}

function postSearch(body: Draft) {
  // The screen changes at once, and the request must survive that.
  return unwrap(api.POST('/api/v1/search/search', { body, keepalive: true }));
}

function deleteSearch(body: Draft) {
  return unwrap(api.DELETE('/api/v1/search/history', { body }));
}
