import type { ProfitRow } from '@/shared/api/types';
import { dayName } from '@/shared/copy/copy.days';
import { unitOf } from '@/shared/copy/copy.units';
import { averagePrice } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { Avatar } from '@/shared/ui/Avatar';
import { EntryRow } from '@/shared/ui/EntryRow';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { profitCopy } from './copy';
import { Gain, Rate } from './ProfitTotals';
import type { ProfitGroup } from './profitQueries';
import styles from './Profit.module.css';

interface ProfitRowsProps {
  rows: readonly ProfitRow[];
  groupBy: ProfitGroup;
  /** Where a row leads; undefined for one that has nothing behind it. */
  hrefOf: (row: ProfitRow) => string | undefined;
}

/** What each item, or each day, month or year brought. */
export function ProfitRows({ rows, groupBy, hrefOf }: ProfitRowsProps) {
  return (
    <>
      {rows.some(({ saleCount }) => saleCount > 0) && <p className={styles.listNote}>{profitCopy.buyFeeNote}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.key}>{groupBy === 'ITEM' ? <ItemRow row={row} to={hrefOf(row)} /> : <SpanRow row={row} groupBy={groupBy} to={hrefOf(row)} />}</li>
        ))}
      </ul>
    </>
  );
}

function ItemRow({ row, to }: { row: ProfitRow; to: string | undefined }) {
  const name = row.name ?? '';
  return (
    <EntryRow
      lead={<Avatar name={name} />}
      name={
        <>
          {name} {row.marketCode && <MarketFlag marketCode={row.marketCode} />}
        </>
      }
      detail={isMissing(row.qty) ? profitCopy.interest : profitCopy.sold(quantityOf(row))}
      more={pricesOf(row)}
      value={<Gain value={row.pnl} />}
      note={<Rate rate={row.rate} />}
      {...(to !== undefined && { to })}
    />
  );
}

function SpanRow({ row, groupBy, to }: { row: ProfitRow; groupBy: ProfitGroup; to: string | undefined }) {
  const [year = 0, month = 0, day = 0] = row.date.split('-').map(Number);
  const names = { YEAR: profitCopy.year(year), MONTH: profitCopy.month(year, month) };
  return (
    <EntryRow
      lead={null}
      name={groupBy === 'YEAR' || groupBy === 'MONTH' ? names[groupBy] : dayName(year, month, day)}
      detail={row.saleCount > 0 ? profitCopy.sales(row.saleCount) : profitCopy.interest}
      value={<Gain value={row.pnl} />}
      note={<Rate rate={row.rate} />}
      {...(to !== undefined && { to })}
    />
  );
}

export function quantityOf({ qty, marketCode }: ProfitRow): string {
  return quantity(qty) + unitOf(marketCode);
}

/** The average price that was paid, and that of the sales. */
export function pricesOf({ buyAvg, sellPrc, currency }: ProfitRow): string | undefined {
  if (isMissing(buyAvg) || isMissing(sellPrc) || !currency) return undefined;
  return profitCopy.prices(averagePrice(buyAvg, currency), averagePrice(sellPrc, currency));
}
