import type { Item } from '@/shared/api/types';
import { signedMoney, spokenPrice } from '@/shared/format/change';
import { sessionMark } from '@/shared/copy/copy.shared';
import { warningName } from '@/shared/format/codes';
import { dollars, money } from '@/shared/format/money';
import { pct, shownPct } from '@/shared/format/pct';
import { useAreClosed } from '@/shared/realtime/connection';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import { Avatar } from '@/shared/ui/Avatar';
import { Chip } from '@/shared/ui/Chip';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { PracticeChip } from '@/shared/ui/PracticeChip';
import { RtBadge } from '@/shared/ui/RtBadge';
import { markOf } from '@/shared/ui/SessionMark';
import { ToneText } from '@/shared/ui/ToneText';
import { detail, gold } from './copy';
import styles from './PriceHero.module.css';
import { venuesOf } from './venues';

/** The name and the big live price of an instrument. */
export function PriceHero({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  // The last tick before the end of a session still says that it is open.
  const areClosed = useAreClosed(venuesOf(item));
  const session = areClosed && quote.session === 'OPEN' ? 'CLOSED' : quote.session;
  const mark = markOf(quote);
  const change = quoteChange(quote);
  const difference = quote.price - quote.previousClose;
  const inWon = quote.currency === 'USD' && quote.fxRate ? Math.round(quote.price * quote.fxRate) : null;
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
          {item.warnCode !== '00' && item.warnCode !== '' && <Chip look="caution">{warningName(item.warnCode)}</Chip>}
          {mark && <Chip>{sessionMark[mark]}</Chip>}
          {!mark && session === 'CLOSED' && <Chip>{detail.closed}</Chip>}
        </span>
      </div>
      <p className={styles.price} aria-hidden="true">
        {inWon === null ? money(quote.price, quote.currency) : money(inWon, 'KRW')}
      </p>
      {inWon !== null && <p className={styles.foreign}>{dollars(quote.price)}</p>}
      <p className={styles.change} aria-hidden="true">
        <span>{detail.fromYesterday}</span>
        <ToneText value={shownPct(change)}>{`${signedMoney(round(difference), quote.currency)} (${pct(Math.abs(change))})`}</ToneText>
      </p>
      <p className="sr-only">
        {spokenPrice(inWon ?? quote.price, change, inWon === null ? quote.currency : 'KRW')}
      </p>
      <div className={styles.status}>
        {/* A rest of the market is told by its chip; it is no disturbance of the connection. */}
        {session === 'CLOSED' ? <span /> : <RtBadge />}
        <PracticeChip />
      </div>
    </section>
  );
}

/** Differences of decimals carry noise in the last binary digits. */
function round(value: number): number {
  return Number(value.toFixed(8));
}
