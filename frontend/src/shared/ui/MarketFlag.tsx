import { market } from '@/shared/copy/copy.shared';

/** The flag of the country a share trades in; coins and commodities have none. */
export function MarketFlag({ marketCode, className }: { marketCode: string; className?: string | undefined }) {
  const flag = flagOf(marketCode);
  if (!flag) return null;
  return (
    <span role="img" aria-label={flag.label} className={className}>
      {flag.emoji}
    </span>
  );
}

function flagOf(marketCode: string): { emoji: string; label: string } | null {
  switch (marketCode) {
    case 'stocks':
      return { emoji: '🇺🇸', label: market.usStock };
    case 'KOSPI':
    case 'KOSDAQ':
    case 'ETF':
      return { emoji: '🇰🇷', label: market.koreanStock };
    default:
      return null;
  }
}
