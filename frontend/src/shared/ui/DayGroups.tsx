import type { ReactNode } from 'react';
import { dayName } from '@/shared/copy/copy.days';
import { groupByDay } from '@/shared/format/dayGroups';
import { GroupHeading } from './GroupHeading';

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
      <GroupHeading as="h2" title={dayName(year, month, day)} />
      <ul>
        {rowsOfDay.map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
    </section>
  ));
}
