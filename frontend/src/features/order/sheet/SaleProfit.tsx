import { ToneText } from '@/shared/ui/ToneText';
import { resultCopy } from '@/features/order/copy';
import styles from './ConfirmSheet.module.css';

interface SaleProfitProps {
  won: number;
  /** The figure as it is written. */
  children: string;
}

/** What a sale brings beyond what the sold part had cost. That cost is without the fee of its purchase, and this says so. */
export function SaleProfit({ won, children }: SaleProfitProps) {
  return (
    <>
      <ToneText value={won}>{children}</ToneText>
      <span className={styles.detail}>{resultCopy.profitNote}</span>
    </>
  );
}
