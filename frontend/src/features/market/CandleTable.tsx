import { memo } from 'react';
import { bigCount } from '@/shared/format/bigWon';
import type { Bar } from '@/shared/ui/chart/bars';
import { barTimeText } from '@/shared/ui/chart/bars';
import { Sheet } from '@/shared/ui/Sheet';
import styles from './CandleTable.module.css';
import { chart } from './copy';

interface CandleTableProps {
  open: boolean;
  title: string;
  bars: readonly Bar[];
  isDaily: boolean;
  priceText: (price: number) => string;
  onClose: () => void;
}

/** The figures of the chart as a table. */
export function CandleTable({ open, title, bars, isDaily, priceText, onClose }: CandleTableProps) {
  return (
    <Sheet open={open} title={title} onClose={onClose}>
      {/* Wide rows scroll horizontally, so the region must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
        <Candles bars={bars} isDaily={isDaily} priceText={priceText} />
      </div>
    </Sheet>
  );
}

/** A day has 1,440 rows: none is rendered while the sheet is closed, and ticks render none again. */
const Candles = memo(function Candles({ bars, isDaily, priceText }: Pick<CandleTableProps, 'bars' | 'isDaily' | 'priceText'>) {
  const { time, open, high, low, close, volume } = chart.columns;
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{chart.tableCaption}</caption>
      <thead>
        <tr>
          {[time, close, open, high, low, volume].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...bars].reverse().map((bar) => (
          <tr key={bar.time}>
            <th scope="row">{barTimeText(bar.time, isDaily)}</th>
            <td>{priceText(bar.close)}</td>
            <td>{priceText(bar.open)}</td>
            <td>{priceText(bar.high)}</td>
            <td>{priceText(bar.low)}</td>
            <td>{bigCount(bar.volume)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
});
