import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Category } from '@/shared/api/assets';
import type { Holding, Item } from '@/shared/api/types';
import { averagePrice } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { paths } from '@/shared/paths';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { Amount } from '@/shared/ui/Amount';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { GainText } from '@/shared/ui/GainText';
import { ChevronIcon } from '@/shared/ui/icons';
import styles from './Cards.module.css';
import { detail } from './copy';
import { waitingQuery } from './marketQueries';

interface PositionCardProps {
  item: Item;
  holding: Holding;
  /** Null for the basic account. */
  accountName: string | null;
}

/** The member's position in this instrument at the live price. */
export function PositionCard({ item, holding, accountName }: PositionCardProps) {
  const { price, fxRate } = useLiveQuote(item);
  const rate = holding.currency === 'USD' ? (fxRate ?? holding.fxRt ?? null) : 1;
  const value = rate === null ? (holding.evalPrc ?? null) : Math.floor(price * holding.juQty * rate);
  const profit = value === null ? null : value - holding.totalJuPrc;
  const profitPercent = profit === null || holding.totalJuPrc === 0 ? null : (profit / holding.totalJuPrc) * 100;
  const facts: Fact[] = [
    [detail.quantity, detail.unit(quantity(holding.juQty), item.unit)],
    [detail.averagePrice, <AveragePrice holding={holding} />],
    [detail.evaluation, <Amount>{won(value)}</Amount>],
    [detail.profit, <GainText won={profit} percent={profitPercent} />],
  ];
  const title = accountName === null ? detail.myPosition : detail.positionIn(accountName);
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <Facts facts={facts} />
    </section>
  );
}

/** Won first; the cost in dollars is below. */
function AveragePrice({ holding: { currency, juPrc, juQty, totalJuPrc } }: { holding: Holding }) {
  if (currency !== 'USD') return averagePrice(juPrc, currency);
  return (
    <>
      {averagePrice(totalJuPrc / juQty, 'KRW')}
      <span className={styles.inDollars}>{averagePrice(juPrc, currency)}</span>
    </>
  );
}

/** The number of the member's waiting orders for this instrument, with a link; nothing without any. */
export function WaitingCard({ memberSid, category, code }: { memberSid: number; category: Category; code: string }) {
  const { data } = useQuery(waitingQuery(memberSid, category, code));
  if (!data || data.length === 0) return null;
  return (
    <Link to={paths.waitingOrders} className={`${styles.card} ${styles.link}`}>
      {detail.waiting(data.length)}
      <ChevronIcon size={18} />
    </Link>
  );
}
