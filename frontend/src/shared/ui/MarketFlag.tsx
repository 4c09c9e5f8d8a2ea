import { market } from '@/shared/copy/copy.shared';
import { flagOf } from '@/shared/format/flag';

/** The flag of a share's country; coins and commodities have none. */
export function MarketFlag({ marketCode, className }: { marketCode: string; className?: string | undefined }) {
  const flag = flagOf(marketCode);
  return (
    flag && (
      <span role="img" aria-label={flag === '🇺🇸' ? market.usStock : market.koreanStock} className={className}>
        {flag}
      </span>
    )
  );
}
