import type { MarketIndex } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { pct, shownPct } from '@/shared/format/pct';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import { indexText } from './indexText';
import styles from './Trend.module.css';

/** A market in one figure, and when it was taken. */
export function IndexCard({ index, asOf, isWon = false }: { index: MarketIndex; asOf: string; isWon?: boolean }) {
  const at = parseServerTime(asOf);
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
      <p className={styles.indexValue}>{isWon ? trendCopy.perGram(indexText(index.value, true)) : indexText(index.value, false)}</p>
      <p className={styles.indexChange}>
        <ToneText value={shownPct(index.rate)}>{`${signed(index.diff, isWon)} (${pct(Math.abs(index.rate))})`}</ToneText>
      </p>
    </section>
  );
}

function signed(diff: number, isWon: boolean): string {
  const text = indexText(diff, isWon);
  return /^[1-9]|^0\.\d*[1-9]/.test(text) ? `+${text}` : text;
}
