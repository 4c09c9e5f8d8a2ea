import { kstDayKey, kstParts, parseServerTime } from './kst';

interface DayGroup<Row> {
  /** The Korean calendar day, `20261120`; empty when unreadable. */
  key: string;
  year: number;
  month: number;
  day: number;
  rows: Row[];
}

/** Groups rows sorted by time into Korean calendar days, keeping their order. */
export function groupByDay<Row>(rows: readonly Row[], timeOf: (row: Row) => string): DayGroup<Row>[] {
  const groups: DayGroup<Row>[] = [];
  for (const row of rows) {
    const at = parseServerTime(timeOf(row));
    const key = at ? kstDayKey(at) : '';
    const last = groups.at(-1);
    if (last?.key === key) last.rows.push(row);
    else groups.push({ key, ...dayOf(at), rows: [row] });
  }
  return groups;
}

function dayOf(at: Date | null): { year: number; month: number; day: number } {
  if (at === null) return { year: 0, month: 0, day: 0 };
  const { year, month, day } = kstParts(at);
  return { year, month, day };
}
