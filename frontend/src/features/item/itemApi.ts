import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { BoughtItem, BuyItemBody, ChangeCashBody, ChangedCash, Member, ShopItem } from '@/shared/api/types';

const PURCHASES_OF_A_PAGE = 20;

/** The shop as the member sees it: the catalogue and what the member owns, with the newest purchases. */
export function shopQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'items'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/invest/buy-item-list', { params: { query: { memberSid, size: 1 } }, signal })),
    ...moneyQuery,
  });
}

/** The member's purchases, newest first, twenty per page. */
export function purchasesQuery(memberSid: number) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'purchases'],
    queryFn: ({ pageParam, signal }) => {
      const query = { memberSid, size: PURCHASES_OF_A_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return unwrap(api.GET('/api/v1/invest/buy-item-list', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
    ...moneyQuery,
  });
}

export function cashQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'cash'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/auth/cash', { params: { query: { member_sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** Buys an item. Repeating a `reqSid` with the same body returns the first reply. */
export function buyItem(body: BuyItemBody): Promise<BoughtItem> {
  return unwrap(api.POST('/api/v1/invest/buy-item', { body }));
}

const SLOT_FIELDS = { FRAME: 'frame', PLATE: 'plate', THEME: 'theme' } as const;
export type Slot = NonNullable<ShopItem['slot']>;

/** The picture of what the member wears in a slot; null for nothing. */
export function wornIn(member: Member | null | undefined, slot: Slot): string | null {
  return member?.[SLOT_FIELDS[slot]] ?? null;
}

/** Wears an owned item, or with null takes off what is worn there. Returns the member as it now is. */
export function wear(memberSid: number, slot: Slot, image: string | null): Promise<Member> {
  return unwrap(api.PUT('/api/v1/member/appearance', { body: { memberSid, [SLOT_FIELDS[slot]]: image } }));
}

/** Turns cash into won of the basic account. Repeating a `reqSid` with the same body returns the first reply. */
export function changeCash(body: ChangeCashBody): Promise<ChangedCash> {
  return unwrap(api.PUT('/api/v1/auth/change-cash', { body }));
}
