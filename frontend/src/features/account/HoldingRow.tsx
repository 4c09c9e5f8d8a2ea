import { memo } from 'react';
import { Link } from 'react-router';
import type { Holding } from '@/shared/api/types';
import { signedMoney } from '@/shared/format/change';
import { dollars } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { shownPct, signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { destinationOf } from '@/shared/realtime/tick';
import { useTick } from '@/shared/realtime/useTick';
import { Avatar } from '@/shared/ui/Avatar';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { ToneText } from '@/shared/ui/ToneText';
import { Amount } from './Amount';
import { holdingsCopy } from './copy';
import styles from './Holdings.module.css';
import { kindOfMarket, valueHolding } from './holdingsValue';

/** One holding; its value moves with every tick, the rest of the list does not. */
export const HoldingRow = memo(function HoldingRow({ holding, to }: { holding: Holding; to: string }) {
  const tick = useTick(holding.isuSrtCd, destinationOf(holding.marketCode));
  const { valueWon, profitWon, profitPercent } = valueHolding(holding, tick);
  const unit = holdingsCopy.unit[kindOfMarket(holding.marketCode)];
  const averageWon = holding.currency === 'USD' ? holding.totalJuPrc / holding.juQty : holding.juPrc;
  return (
    <Link to={to} className={styles.row}>
      <Avatar name={holding.isuKorNm} />
      <span className={styles.text}>
        <span className={styles.name}>
          {holding.isuKorNm} <MarketFlag marketCode={holding.marketCode} />
        </span>
        <span className={styles.meta}>{holdingsCopy.row(quantity(holding.juQty) + unit, won(readable(averageWon)))}</span>
        {holding.currency === 'USD' && <span className={styles.meta}>{dollars(readable(holding.juPrc))}</span>}
      </span>
      <span className={styles.worth}>
        <span className={styles.rowValue}>
          <Amount>{won(valueWon)}</Amount>
        </span>
        <span className={styles.rowProfit}>
          <ToneText value={shownPct(profitPercent)}>{signedPct(profitPercent)}</ToneText>
          <span className="sr-only">{signedMoney(profitWon, 'KRW')}</span>
        </span>
      </span>
    </Link>
  );
});

// An average has as many decimals as its division left over; a reader wants those that matter at its size.
function readable(average: number): number {
  const scale = average >= 1_000 ? 1 : 100;
  return Math.round(average * scale) / scale;
}
