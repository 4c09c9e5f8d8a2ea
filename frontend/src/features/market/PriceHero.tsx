import { useStore } from 'zustand';
import type { Item } from '@/shared/api/types';
import { spokenPrice, unsignedMoney } from '@/shared/format/change';
import { sessionMark } from '@/shared/copy/copy.shared';
import { isWarning, warningName } from '@/shared/format/codes';
import { dollars } from '@/shared/format/money';
import { changePct, gainPct } from '@/shared/format/pct';
import { price as priceText } from '@/shared/format/price';
import { useAllClosed } from '@/shared/realtime/connection';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import { Avatar } from '@/shared/ui/Avatar';
import { Chip } from '@/shared/ui/Chip';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { PracticeChip } from '@/shared/ui/PracticeChip';
import { LiveBadge } from '@/shared/ui/LiveBadge';
import { markOf } from '@/shared/ui/SessionMark';
import { ToneText } from '@/shared/ui/ToneText';
import type { ChartViewStore } from './chartView';
import { ClosedNote } from './ClosedNote';
import { chart, detail, gold } from './copy';
import styles from './PriceHero.module.css';
import { venuesOf } from './venues';

/**
 * The name and price of an instrument: the live price, or the one under the chart's crosshair. The change refers to the chart's
 * period.
 */
export function PriceHero({ item, view }: { item: Item; view: ChartViewStore }) {
  const quote = useLiveQuote(item);
  // The last tick of a session still reports it as open.
  const venues = venuesOf(item);
  const allClosed = useAllClosed(venues);
  const session = allClosed && quote.session === 'OPEN' ? 'CLOSED' : quote.session;
  const mark = markOf(quote);
  const { period, base, reading } = useStore(view);
  // The day's change is the market's own figure, which needs no chart.
  const isDay = period === 'DAY' || base === null;
  const reference = isDay ? quote.previousClose : base;
  const liveChange = isDay ? quoteChange(quote) : (changePct(quote.price, reference) ?? 0);
  const price = reading?.price ?? quote.price;
  const change = reading ? (changePct(price, reference) ?? 0) : liveChange;
  const inWon = (foreign: number) => (quote.currency === 'USD' && quote.fxRate ? Math.round(foreign * quote.fxRate) : null);
  const priceInWon = inWon(price);
  const since = chart.since[isDay ? 'DAY' : period];
  const spoken = spokenPrice(inWon(quote.price) ?? quote.price, liveChange, priceInWon === null ? quote.currency : 'KRW', gainPct);
  return (
    <section className={styles.hero}>
      <div className={styles.name}>
        <Avatar name={item.isuKorNm} size={32} />
        <span>
          {item.isuKorNm} <MarketFlag marketCode={item.marketCode} />
        </span>
        <span className={styles.chips}>
          {item.marketCode === 'ETF' && <Chip>{detail.etf}</Chip>}
          {item.marketCode === 'GOLD' && <Chip>{gold.per(item.unit)}</Chip>}
          {item.marketCode === 'GOLD' && !item.tradable && <Chip>{gold.viewOnly}</Chip>}
          {isWarning(item.warnCode) && <Chip look="caution">{warningName(item.warnCode)}</Chip>}
          {mark && <Chip>{sessionMark[mark]}</Chip>}
          {!mark && session === 'CLOSED' && <Chip>{detail.closed}</Chip>}
        </span>
      </div>
      <p className={styles.price} aria-hidden="true">
        {priceText(priceInWon ?? price, priceInWon === null ? quote.currency : 'KRW')}
      </p>
      {priceInWon !== null && <p className={styles.foreign}>{dollars(price)}</p>}
      <p className={styles.change} aria-hidden="true">
        <span>{since}</span>
        <ToneText value={change}>{`${unsignedMoney(round(price - reference), quote.currency)} (${gainPct(change)})`}</ToneText>
      </p>
      <p className="sr-only">{isDay ? spoken : `${since} ${spoken}`}</p>
      <div className={styles.status}>
        {/* A closed market has its own chip; it is no connection problem. */}
        {session === 'CLOSED' ? <ClosedNote venues={venues} className={styles.closed} /> : <LiveBadge />}
        <PracticeChip />
      </div>
    </section>
  );
}

/** Removes the floating-point error of a difference. */
function round(value: number): number {
  return Number(value.toFixed(8));
}
