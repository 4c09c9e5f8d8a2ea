import type { MarketIndex } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import { indexText, type IndexUnit } from './indexText';
import styles from './Trend.module.css';

/** A market in one figure, and when it was taken. */
export function IndexCard({ index, asOf, unit }: { index: MarketIndex; asOf: string; unit: IndexUnit }) {
  const at = parseServerTime(asOf);
  const value = indexText(index.value, unit);
  return (
    <section className={styles.index} aria-label={index.name}>
      <div className={styles.indexHead}>
        <h2 className={styles.indexName}>{index.name}</h2>
        {at && (
          <time dateTime={at.toISOString()} className={styles.asOf}>
            {trendCopy.asOf(kstTime(at))}
          </time>
        )}
      </div>
      <p className={styles.indexValue}>{unit === 'wonPerGram' ? trendCopy.perGram(value) : value}</p>
      <p className={styles.indexChange}>
        <ToneText value={shownPct(index.rate)}>{`${indexText(Math.abs(index.diff), unit)} (${unsignedPct(index.rate)})`}</ToneText>
      </p>
    </section>
  );
}
