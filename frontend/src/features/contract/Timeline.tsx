import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contract, ContractSchedule } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { GrowthChart } from '@/shared/ui/GrowthChart';
import { ChevronIcon } from '@/shared/ui/icons';
import { SectionError } from '@/shared/ui/Section';
import { Sheet } from '@/shared/ui/Sheet';
import { SheetTable } from '@/shared/ui/SheetTable';
import { Bone } from '@/shared/ui/Skeleton';
import { scheduleQuery } from './contractApi';
import styles from './Contracts.module.css';
import { timelineCopy } from './copy';
import { growthOf, linesOf, nextInterest, type ScheduleLine } from './growth';

/** How the money of a contract grows to its end, as a chart and as a table. */
export function Timeline({ memberSid, contract }: { memberSid: number; contract: Contract }) {
  const schedule = useQuery(scheduleQuery(memberSid, contract.acno));
  const [isTableOpen, setTableOpen] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="timeline">
      <h2 id="timeline" className={styles.heading}>
        {timelineCopy.title}
      </h2>
      {schedule.isPending && schedule.fetchStatus !== 'paused' && (
        <div aria-busy="true">
          <div aria-hidden="true" className={styles.chart}>
            <Bone width="100%" height={160} radius={12} />
          </div>
        </div>
      )}
      {!schedule.data && !(schedule.isPending && schedule.fetchStatus !== 'paused') && (
        <SectionError title={timelineCopy.error} onRetry={() => void schedule.refetch()} />
      )}
      {schedule.data && (
        <>
          {contract.status !== 'EARLY_CLOSED' && <GrowthChart points={growthOf(schedule.data)} passed={contract.monthsElapsed} />}
          <NextInterest schedule={schedule.data} contract={contract} />
          <button type="button" className={styles.open} onClick={() => setTableOpen(true)}>
            {timelineCopy.table}
            <ChevronIcon size={16} />
          </button>
          <ScheduleTable open={isTableOpen} lines={linesOf(schedule.data, contract)} onClose={() => setTableOpen(false)} />
        </>
      )}
    </section>
  );
}

function NextInterest({ schedule, contract }: { schedule: ContractSchedule; contract: Contract }) {
  const next = nextInterest(schedule, contract);
  return next && <p className={styles.next}>{timelineCopy.next(next.day, won(next.amount))}</p>;
}

function ScheduleTable({ open, lines, onClose }: { open: boolean; lines: readonly ScheduleLine[]; onClose: () => void }) {
  const { title, caption, columns } = timelineCopy;
  return (
    <Sheet open={open} title={title} onClose={onClose}>
      <SheetTable caption={caption} columns={[columns.date, columns.what, columns.amount]}>
        {lines.map((line) => (
          <tr key={line.key}>
            <th scope="row">{line.day}</th>
            <td className={lookOf(line)}>{wordsOf(line)}</td>
            <td className={lookOf(line)}>{won(line.amount)}</td>
          </tr>
        ))}
      </SheetTable>
    </Sheet>
  );
}

function wordsOf({ kind, number, state }: ScheduleLine): string {
  if (kind !== 'PAYMENT') return timelineCopy.ends[kind];
  return `${timelineCopy.payment(number)} ${timelineCopy.states[state]}`.trim();
}

function lookOf({ state }: ScheduleLine): string | undefined {
  switch (state) {
    case 'PAID':
      return undefined;
    case 'MISSED':
      return styles.missed;
    case 'DUE':
      return styles.nowDue;
    case 'UPCOMING':
      return styles.planned;
  }
}
