import { market } from '@/shared/copy/copy.shared';
import { flagOf } from '@/shared/format/flag';
import styles from './MarketFlag.module.css';

/** The flag of a share's country; coins and commodities have none. */
export function MarketFlag({ marketCode, className = styles.flag }: { marketCode: string; className?: string | undefined }) {
  const flag = flagOf(marketCode);
  return (
    flag && (
      <span role="img" aria-label={flag === '🇺🇸' ? market.usStock : market.koreanStock} className={className}>
        {flag}
      </span>
    )
  );
}
