import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { ContractClosed, ContractCloseBody, ContractReply, ContractPaymentBody } from '@/shared/api/types';

/** The member's deposits and savings, open ones and ended ones. */
export function contractsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'contracts'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/product/member/{sid}', { params: { path: { sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** Every payment, interest and tax of a contract to its end. */
export function scheduleQuery(memberSid: number, acno: string) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'contract-schedule', acno],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/product/account/{acno}/member/{sid}/schedule', { params: { path: { acno, sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** What closing a contract now would pay. Always fetched anew, because the member decides by it. */
export function cancelInfoQuery(memberSid: number, acno: string) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'cancel-info', acno],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/product/account/{acno}/member/{sid}/cancel-info', { params: { path: { acno, sid: memberSid } }, signal })),
    gcTime: 0,
    ...moneyQuery,
  });
}

/** Closes a contract for the payout that was shown. Repeating a `reqSid` with the same body returns the first reply. */
export function closeContract(body: ContractCloseBody): Promise<ContractClosed> {
  return unwrap(api.DELETE('/api/v1/product', { body }));
}

/** Pays into a savings contract from the basic account. */
export function payIntoContract(body: ContractPaymentBody): Promise<ContractReply> {
  return unwrap(api.POST('/api/v1/product/payment', { body }));
}
