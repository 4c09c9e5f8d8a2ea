import { useQuery } from '@tanstack/react-query';
import { popularItemsQuery } from '@/shared/api/popularItems';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { SectionError } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';

interface PopularShortProps {
  shown: number;
  /** The maximum price per share in won; unlimited by default. */
  budgetWon?: number;
}

/** A few popular stocks with live prices, for beginners. */
export function PopularShort({ shown, budgetWon = Number.POSITIVE_INFINITY }: PopularShortProps) {
  const { data, error, refetch } = useQuery(popularItemsQuery('stock', useMemberSid()));
  if (!data) return error ? <SectionError onRetry={() => void refetch()} /> : <RowsSkeleton rows={shown} />;
  return (
    <ul>
      {data
        .filter((item) => isWithin(item, budgetWon))
        .slice(0, shown)
        .map((item) => (
          <ListRow key={item.isuSrtCd}>
            <ItemRow item={item} to={itemHref(item)} />
          </ListRow>
        ))}
    </ul>
  );
}

function isWithin({ trdPrc, currency, fxRt, tradable, halted }: Item, budgetWon: number): boolean {
  const rate = currency === 'USD' ? (fxRt ?? Number.POSITIVE_INFINITY) : 1;
  return tradable && !halted && trdPrc * rate <= budgetWon;
}
