import { sessionMark } from '@/shared/copy/copy.shared';
import { isWarning, warningName } from '@/shared/format/codes';
import { dollars, money } from '@/shared/format/money';
import { isMissing } from '@/shared/format/number';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { price } from '@/shared/format/price';
import { LiveBadge } from '@/shared/ui/LiveBadge';
import { PracticeChip } from '@/shared/ui/PracticeChip';
import { Chip } from '@/shared/ui/Chip';
import { ToneText } from '@/shared/ui/ToneText';
import { orderCopy } from '@/features/order/copy';
import { difference } from '@/features/order/rules/decimal';
import styles from './OrderSheet.module.css';
import type { LivePrice } from './useLivePrice';

/** The live price: won first, with the quoted dollars below. */
export function PriceLine({ live, warnCode }: { live: LivePrice; warnCode: string }) {
  const inWon = live.fxRate === null ? live.price : Math.round(live.price * live.fxRate);
  return (
    <div className={styles.priceLine}>
      <p className={styles.price}>
        <span className="sr-only">{orderCopy.now}</span> {price(inWon, 'KRW')}
      </p>
      <span className={styles.badges}>
        {isWarning(warnCode) && <Chip look="caution">{warningName(warnCode)}</Chip>}
        {live.mark && <Chip>{sessionMark[live.mark]}</Chip>}
        <LiveBadge />
        <PracticeChip />
      </span>
      <p className={styles.change}>
        {live.fxRate !== null && <span className={styles.dollars}>{dollars(live.price)}</span>}
        <ToneText value={shownPct(live.changePercent)}>{unsignedPct(live.changePercent)}</ToneText>
      </p>
    </div>
  );
}

/** Best ask, best bid and their spread; nothing while either is unknown. */
export function BestPrices({ live: { bid, ask, fxRate } }: { live: LivePrice }) {
  if (isMissing(bid) || isMissing(ask)) return null;
  const currency = fxRate === null ? 'KRW' : 'USD';
  return (
    <p className={styles.book}>
      {orderCopy.book(price(ask, currency), price(bid, currency))} · {orderCopy.spread(money(difference(ask, bid), currency))}
    </p>
  );
}
