import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { holdingQuery } from '@/shared/api/holdingQuery';
import type { Category } from '@/shared/api/assets';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import type { Reference } from '@/shared/ui/chart/references';
import { chart } from './copy';
import { waitingQuery } from './marketQueries';

/** More lines would hide the price they are compared with. */
const MAX_ORDERS = 6;

/** Reference prices: the previous close in a day's chart, the member's average price, and their waiting orders. */
export function useReferences(
  item: Item,
  category: Category,
  previousClose: number | null,
  priceText: (price: number) => string,
): readonly Reference[] {
  const memberSid = useMemberSid();
  const enabled = memberSid !== null;
  const { data: holdings } = useQuery({ ...holdingQuery(memberSid ?? 0, category, item.isuSrtCd), enabled });
  const { data: orders } = useQuery({ ...waitingQuery(memberSid ?? 0, category, item.isuSrtCd), enabled });
  return useMemo(() => {
    const references: Reference[] = [];
    if (previousClose !== null && previousClose > 0) {
      const text = item.marketCode === 'COIN' ? chart.previousPrice : chart.previousClose;
      references.push({ kind: 'previousClose', price: previousClose, text });
    }
    for (const { juQty, juPrc } of (enabled && holdings) || []) {
      if (juQty > 0) references.push({ kind: 'average', price: juPrc, text: chart.average });
    }
    const waiting = ((enabled && orders) || []).flatMap(({ side, juPrc }): Reference[] => {
      if (juPrc === null || juPrc === undefined) return [];
      const kind = side === 'BUY' ? 'buy' : 'sell';
      return [{ kind, price: juPrc, text: chart.waiting[kind](priceText(juPrc)) }];
    });
    const different = waiting.filter(({ kind, price }, index) => waiting.findIndex((one) => one.kind === kind && one.price === price) === index);
    return [...references, ...different.slice(0, MAX_ORDERS)];
  }, [item.marketCode, previousClose, holdings, orders, enabled, priceText]);
}
