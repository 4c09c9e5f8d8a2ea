import type { ReactNode } from 'react';
import { dayName } from '@/shared/copy/copy.days';
import { groupByDay } from '@/shared/format/dayGroups';
import styles from './DayGroups.module.css';

interface DayGroupsProps<Row> {
  /** Sorted by time. */
  rows: readonly Row[];
  timeOf: (row: Row) => string;
  keyOf: (row: Row) => number;
  children: (row: Row) => ReactNode;
}

/** Rows below the days in Korea that they belong to. */
export function DayGroups<Row>({ rows, timeOf, keyOf, children }: DayGroupsProps<Row>) {
  return groupByDay(rows, timeOf).map(({ key, year, month, day, rows: rowsOfDay }) => (
    <section key={key} aria-label={dayName(year, month, day)}>
      <h2 className={styles.day}>{dayName(year, month, day)}</h2>
      <ul>
        {rowsOfDay.map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
    </section>
  ));
}
