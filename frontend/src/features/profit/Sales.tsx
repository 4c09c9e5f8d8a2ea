import { useInfiniteQuery } from '@tanstack/react-query';
import type { ProfitRow } from '@/shared/api/types';
import { dayName } from '@/shared/copy/copy.days';
import { EntryRow } from '@/shared/ui/EntryRow';
import { Facts } from '@/shared/ui/Facts';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { isMissing } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { profitCopy } from './copy';
import { profitQuery, type ProfitFilter } from './profitQueries';
import { pricesOf, quantityOf } from './ProfitRows';
import { Gain, Rate } from './ProfitTotals';
import styles from './Profit.module.css';

interface SalesProps {
  memberSid: number;
  competes: boolean;
  code: string;
  span: ProfitFilter['span'];
  season: number | null;
  /** Shows the fills of a sale. */
  onReceipt: (orderSid: number) => void;
}

/** The sales of an instrument, latest first, and what they brought together. */
export function Sales({ memberSid, competes, code, span, season, onReceipt }: SalesProps) {
  const type = competes ? 'COMPETITION' : 'ALL';
  const sales = useInfiniteQuery(profitQuery(memberSid, { type, groupBy: 'SALE', span, code, season }));
  const item = useInfiniteQuery(profitQuery(memberSid, { type, groupBy: 'ITEM', span, code, season }));
  const whole = item.data?.pages[0]?.rows[0];
  if (!sales.data || !item.data) {
    const error = sales.error ?? item.error;
    const retry = () => void Promise.all([sales.refetch(), item.refetch()]);
    return error ? <ErrorState error={error} onRetry={retry} /> : <RowsSkeleton rows={6} />;
  }
  const rows = sales.data.pages.flatMap((page) => page.rows);
  if (!whole) return <EmptyState title={profitCopy.emptyPeriod} />;
  return (
    <>
      <Whole row={whole} />
      <p className={styles.listNote}>
        {profitCopy.buyFeeNote} {profitCopy.rateNote}
      </p>
      <h2 className={styles.heading}>{profitCopy.saleList}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.key}>
            <SaleRow row={row} onReceipt={onReceipt} />
          </li>
        ))}
      </ul>
      <InfiniteFooter hasMore={sales.hasNextPage} isLoading={sales.isFetchingNextPage} onMore={() => void sales.fetchNextPage()} />
    </>
  );
}

/** What all sales brought; of dollars, what the price and what the exchange rate did. */
function Whole({ row }: { row: ProfitRow }) {
  const parts = [
    [profitCopy.pricePart, <Gain value={row.pricePart} />],
    [profitCopy.fxPart, <Gain value={row.fxPart} />],
  ] as const;
  return (
    <section className={styles.hero} aria-label={row.name ?? ''}>
      <p className={styles.label}>{row.name}</p>
      <p className={styles.figure}>
        <Gain value={row.pnl} />
      </p>
      <Facts
        facts={[
          ...(row.currency === 'USD' ? parts : [[profitCopy.realized, <Gain value={row.pricePart + row.fxPart} />] as const]),
          [profitCopy.cost, <Amount>{won(-row.cost)}</Amount>],
        ]}
        sum={[profitCopy.net, <Gain value={row.pnl} />]}
      />
    </section>
  );
}

function SaleRow({ row, onReceipt }: { row: ProfitRow; onReceipt: (orderSid: number) => void }) {
  const [year = 0, month = 0, day = 0] = row.date.split('-').map(Number);
  const { orderSid } = row;
  return (
    <EntryRow
      lead={null}
      name={dayName(year, month, day)}
      detail={profitCopy.sold(quantityOf(row))}
      more={pricesOf(row)}
      value={<Gain value={row.pnl} />}
      note={<Rate rate={row.rate} />}
      {...(!isMissing(orderSid) && { onClick: () => onReceipt(orderSid) })}
    />
  );
}
