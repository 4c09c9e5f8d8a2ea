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
  /** Null while the amount makes no sense. */
  result: InterestResult | null;
  months: number;
  /** Reckons the way there, once somebody asks for it. */
  schedule: () => readonly InterestMonth[];
  taxRate: number;
  /** What the deposit insurance pays back at most, principal and interest together. */
  insuredWon: number;
  /** The rate asks for the preferences. */
  needsConditions: boolean;
}

/** What comes out in the end, and how it comes about. */
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
