import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { PriceAlert, PriceAlertBody } from '@/shared/api/types';

/** The member's active alerts, and those that fired. An alert may fire at any time, so they are always refetched. */
export function alertsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'alerts'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/market/alert/{sid}', { params: { path: { sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** Repeating a `reqSid` with the same body returns the same alert. */
export function postAlert(body: PriceAlertBody): Promise<PriceAlert> {
  return unwrap(api.POST('/api/v1/market/alert', { body }));
}

/** Survives the page: an undo can end because the member leaves. */
export function deleteAlert(memberSid: number, sid: number): Promise<{ sid: number }> {
  return unwrap(api.DELETE('/api/v1/market/alert', { body: { memberSid, sid }, keepalive: true }));
}
