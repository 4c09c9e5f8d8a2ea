import { ToneText } from '@/shared/ui/ToneText';
import { resultCopy } from '@/features/order/copy';
import styles from './ConfirmSheet.module.css';

interface SaleProfitProps {
  won: number;
  /** The formatted profit. */
  children: string;
}

/** The realized profit of a sale. The cost basis excludes the fee of the buy, which the note says. */
export function SaleProfit({ won, children }: SaleProfitProps) {
  return (
    <>
      <ToneText value={won}>{children}</ToneText>
      <span className={styles.detail}>{resultCopy.profitNote}</span>
    </>
  );
}
