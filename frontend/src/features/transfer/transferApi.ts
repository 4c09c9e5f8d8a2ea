import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { TransferBody, TransferReply } from '@/shared/api/types';

/** What a transfer from an account needs: its cash, and where the cash can go. The last account stays while another loads. */
export function transferTermsQuery(memberSid: number, fromAcno: string) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'transfer-terms', fromAcno],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/invest/transfer/member/{id}/account/{acno}', { params: { path: { id: memberSid, acno: fromAcno } }, signal })),
    placeholderData: keepPreviousData,
    ...moneyQuery,
  });
}

/** Moves cash between accounts. Repeating a `reqSid` with the same body returns the first reply. */
export function postTransfer(body: TransferBody): Promise<TransferReply> {
  return unwrap(api.POST('/api/v1/invest/transfer', { body }));
}

/** Marks the sheet before the first transfer as seen; idempotent. */
export async function seeTransferPopup(memberSid: number): Promise<void> {
  await unwrap(api.PATCH('/api/v1/account/popup/{id}', { params: { path: { id: memberSid } }, body: {} }));
}

/** Everything that moved cash without an order in a season, newest first, twenty per page; of one account or of all. */
export function transferHistoryQuery(memberSid: number, acno: string | null, season: number | null) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'transfer-history', acno, season],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(acno === null ? {} : { acno }), ...(season === null ? {} : { season }), ...(pageParam === null ? {} : { cursor: pageParam }) };
      return unwrap(api.GET('/api/v1/invest/all-transfer-list/member/{sid}', { params: { path: { sid: memberSid }, query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
    ...moneyQuery,
  });
}
