import { memo } from 'react';
import { unitOf } from '@/shared/copy/copy.units';
import { averagePrice } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Avatar } from '@/shared/ui/Avatar';
import { EntryRow } from '@/shared/ui/EntryRow';
import { GainText } from '@/shared/ui/GainText';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { Amount } from '@/shared/ui/Amount';
import { WarningMark } from '@/shared/ui/WarningMark';
import { holdingsCopy } from './copy';
import type { LiveHolding } from './useLiveHoldings';

interface HoldingRowProps extends Pick<LiveHolding, 'holding' | 'valued'> {
  /** Null for the basic account. */
  accountName: string | null;
  to: string;
}

/** One holding. The values of a list are of the same instant, so that they add up to its header. */
export const HoldingRow = memo(function HoldingRow({ holding, valued, accountName, to }: HoldingRowProps) {
  const { valueWon, profitWon, profitPercent } = valued;
  const averageWon = holding.currency === 'USD' ? holding.totalJuPrc / holding.juQty : holding.juPrc;
  const more = [accountName, holding.currency === 'USD' && averagePrice(holding.juPrc, 'USD')].filter(Boolean);
  return (
    <EntryRow
      to={to}
      lead={<Avatar name={holding.isuKorNm} />}
      name={
        <>
          {holding.isuKorNm} <MarketFlag marketCode={holding.marketCode} />
        </>
      }
      detail={
        <>
          {holdingsCopy.row(quantity(holding.juQty) + unitOf(holding.marketCode), averagePrice(averageWon, 'KRW'))} <WarningMark code={holding.warnCode} />
        </>
      }
      more={more.join(' · ')}
      value={<Amount>{won(valueWon)}</Amount>}
      note={<GainText won={profitWon} percent={profitPercent} />}
    />
  );
});
