import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Dividend } from '@/shared/api/types';

/** DUE: upcoming, soonest first. PAID: paid, latest first. */
type DividendList = 'DUE' | 'PAID';

const PAGE_SIZES = { DUE: 100, PAID: 20 } as const;

/** One dividend list by day of payment, paged. */
export function dividendsQuery(memberSid: number, state: DividendList) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'dividends', state],
    queryFn: ({ pageParam, signal }) => {
      const query = { state, size: PAGE_SIZES[state], ...(pageParam === null ? {} : { cursor: pageParam }) };
      return unwrap(api.GET('/api/v1/invest/dividend/member/{id}', { params: { path: { id: memberSid }, query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
    ...moneyQuery,
  });
}

interface DividendMonth {
  /** `2026-11` */
  key: string;
  dividends: Dividend[];
}

/** Groups sorted dividends by month of payment. */
export function monthsOf(dividends: readonly Dividend[]): DividendMonth[] {
  const months: DividendMonth[] = [];
  for (const dividend of dividends) {
    const key = dividend.payDay.slice(0, 7);
    const last = months.at(-1);
    if (last?.key === key) last.dividends.push(dividend);
    else months.push({ key, dividends: [dividend] });
  }
  return months;
}
