import { useState } from 'react';
import type { Interest } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Facts } from '@/shared/ui/Facts';
import { ChevronIcon } from '@/shared/ui/icons';
import { Bone } from '@/shared/ui/Skeleton';
import styles from './Calculator.module.css';
import { productDetail } from './copy';
import { ScheduleSheet } from './ScheduleSheet';

interface ResultCardProps {
  /** Null without a valid amount, and before the first answer. */
  interest: Interest | null;
  /** The answer to this question is under way; `interest` is the one before. */
  isPending: boolean;
  /** This question has no answer: offline, or the server failed. */
  isUnavailable: boolean;
  /** The term asked for. */
  months: number;
  taxRate: number;
  /** The limit of the deposit insurance, principal and interest together. */
  insuredWon: number;
  /** The chosen rate requires the preferential conditions. */
  needsConditions: boolean;
}

/** The amount at maturity and how it is computed. */
export function ResultCard({ interest, isPending, isUnavailable, months, ...terms }: ResultCardProps) {
  const { taxRate, insuredWon, needsConditions } = terms;
  const [isScheduleOpen, setScheduleOpen] = useState(false);
  const rows: [label: string, value: string][] = [
    [productDetail.principal, won(interest?.principal)],
    [productDetail.interest, won(interest?.interestBeforeTax)],
    [productDetail.tax, won(interest && -interest.tax)],
    [productDetail.interestAfterTax, won(interest?.interestAfterTax)],
  ];
  return (
    <div className={styles.result} aria-busy={isPending}>
      {isPending && interest === null ? (
        <p className={styles.payout}>
          <Bone width="60%" height={28} />
        </p>
      ) : (
        <p className={styles.payout}>{productDetail.result(interest?.saveTrm ?? months, won(interest?.payout))}</p>
      )}
      {isUnavailable && (
        <p className={styles.caution} role="status">
          {productDetail.unavailable}
        </p>
      )}
      <Facts facts={rows} />
      <p className={styles.hint}>{productDetail.taxNote(pct(taxRate))}</p>
      {needsConditions && <p className={styles.hint}>{productDetail.bestNote}</p>}
      {interest !== null && interest.payout > insuredWon && <p className={styles.caution}>{productDetail.overInsurance(bigWon(insuredWon))}</p>}
      <button type="button" className={styles.byMonth} disabled={interest === null} onClick={() => setScheduleOpen(true)}>
        {productDetail.schedule.open}
        <ChevronIcon size={16} />
      </button>
      <ScheduleSheet
        open={isScheduleOpen && interest !== null}
        months={isScheduleOpen && interest ? interest.schedule : []}
        onClose={() => setScheduleOpen(false)}
      />
    </div>
  );
}
