import { memo } from 'react';
import type { Holding } from '@/shared/api/types';
import { signedMoney } from '@/shared/format/change';
import { dollars } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { shownPct, signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { destinationOf } from '@/shared/realtime/tick';
import { useTick } from '@/shared/realtime/useTick';
import { Avatar } from '@/shared/ui/Avatar';
import { EntryRow } from '@/shared/ui/EntryRow';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { ToneText } from '@/shared/ui/ToneText';
import { Amount } from '@/shared/ui/Amount';
import { holdingsCopy } from './copy';
import { kindOfMarket, valueHolding } from './holdingsValue';

/** One holding; its value moves with every tick, the rest of the list does not. */
export const HoldingRow = memo(function HoldingRow({ holding, to }: { holding: Holding; to: string }) {
  const tick = useTick(holding.isuSrtCd, destinationOf(holding.marketCode));
  const { valueWon, profitWon, profitPercent } = valueHolding(holding, tick);
  const unit = holdingsCopy.unit[kindOfMarket(holding.marketCode)];
  const averageWon = holding.currency === 'USD' ? holding.totalJuPrc / holding.juQty : holding.juPrc;
  return (
    <EntryRow
      to={to}
      lead={<Avatar name={holding.isuKorNm} />}
      name={
        <>
          {holding.isuKorNm} <MarketFlag marketCode={holding.marketCode} />
        </>
      }
      detail={holdingsCopy.row(quantity(holding.juQty) + unit, won(readable(averageWon)))}
      more={holding.currency === 'USD' && dollars(readable(holding.juPrc))}
      value={<Amount>{won(valueWon)}</Amount>}
      note={<ToneText value={shownPct(profitPercent)}>{signedPct(profitPercent)}</ToneText>}
      spoken={<Amount>{signedMoney(profitWon, 'KRW')}</Amount>}
    />
  );
});

// An average has as many decimals as its division left over; a reader wants those that matter at its size.
function readable(average: number): number {
  const scale = average >= 1_000 ? 1 : 100;
  return Math.round(average * scale) / scale;
}
