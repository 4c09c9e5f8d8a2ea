import { ToneText } from '@/shared/ui/ToneText';

interface SaleProfitProps {
  won: number;
  /** The formatted profit. */
  children: string;
}

/** The realized profit of a sale. The cost basis excludes the fee of the buy, which a note below the figures says. */
export function SaleProfit({ won, children }: SaleProfitProps) {
  return <ToneText value={won}>{children}</ToneText>;
}
