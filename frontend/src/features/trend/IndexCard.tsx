import type { MarketIndex } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import { indexText, type IndexUnit } from './indexText';
import styles from './Trend.module.css';

/** The index of a market and the time of its snapshot; for a delayed one, the time it was valid. */
export function IndexCard({ index, asOf, unit }: { index: MarketIndex; asOf: string; unit: IndexUnit }) {
  const at = parseServerTime(index.delayed ? index.asOf : asOf);
  const value = indexText(index.value, unit);
  return (
    <section className={styles.index} aria-label={index.name}>
      <div className={styles.indexHead}>
        <h2 className={styles.indexName}>{index.name}</h2>
        {at && (
          <p className={styles.asOf}>
            <time dateTime={at.toISOString()}>{trendCopy.asOf(kstTime(at))}</time>
            {index.delayed && ` · ${trendCopy.delayed}`}
          </p>
        )}
      </div>
      <p className={styles.indexValue}>{unit === 'wonPerGram' ? trendCopy.perGram(value) : value}</p>
      <p className={styles.indexChange}>
        <ToneText value={shownPct(index.rate)}>{`${indexText(Math.abs(index.diff), unit)} (${unsignedPct(index.rate)})`}</ToneText>
      </p>
    </section>
  );
}
