/** The flag of the country a market's shares trade in; coins and commodities have none. */
export function flagOf(marketCode: string): '🇺🇸' | '🇰🇷' | null {
  switch (marketCode) {
    case 'stocks':
      return '🇺🇸';
    case 'KOSPI':
    case 'KOSDAQ':
    case 'ETF':
      return '🇰🇷';
    default:
      return null;
  }
}
