import { useState } from 'react';
import { bigWon } from '@/shared/format/bigWon';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Facts } from '@/shared/ui/Facts';
import { ChevronIcon } from '@/shared/ui/icons';
import styles from './Calculator.module.css';
import { productDetail } from './copy';
import type { InterestMonth, InterestResult } from './interest';
import { ScheduleSheet } from './ScheduleSheet';

interface ResultCardProps {
  /** Null while the amount is invalid. */
  result: InterestResult | null;
  months: number;
  /** Computes the monthly schedule on demand. */
  schedule: () => readonly InterestMonth[];
  taxRate: number;
  /** The limit of the deposit insurance, principal and interest together. */
  insuredWon: number;
  /** The chosen rate requires the preferential conditions. */
  needsConditions: boolean;
}

/** The amount at maturity and how it is computed. */
export function ResultCard({ result, months, schedule, taxRate, insuredWon, needsConditions }: ResultCardProps) {
  const [isScheduleOpen, setScheduleOpen] = useState(false);
  const rows: [label: string, value: string][] = [
    [productDetail.principal, won(result?.principal)],
    [productDetail.interest, won(result?.interestBeforeTax)],
    [productDetail.tax, won(result && -result.tax)],
    [productDetail.interestAfterTax, won(result?.interestAfterTax)],
  ];
  return (
    <div className={styles.result}>
      <p className={styles.payout}>{productDetail.result(months, won(result?.payout))}</p>
      <Facts facts={rows} />
      <p className={styles.hint}>{productDetail.taxNote(pct(taxRate))}</p>
      {needsConditions && <p className={styles.hint}>{productDetail.bestNote}</p>}
      {result && result.payout > insuredWon && <p className={styles.caution}>{productDetail.overInsurance(bigWon(insuredWon))}</p>}
      <p className={styles.hint}>{productDetail.notStarted}</p>
      <button type="button" className={styles.byMonth} disabled={result === null} onClick={() => setScheduleOpen(true)}>
        {productDetail.schedule.open}
        <ChevronIcon size={16} />
      </button>
      <ScheduleSheet
        open={isScheduleOpen && result !== null}
        months={isScheduleOpen && result ? schedule() : []}
        onClose={() => setScheduleOpen(false)}
      />
    </div>
  );
}
