import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { sparklineQuery } from '@/shared/api/sparklines';
import type { Item } from '@/shared/api/types';
import { shownPct } from '@/shared/format/pct';
import { type Tone, tone } from '@/shared/format/tone';
import { destinationOf } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { liveQuote, quoteChange } from '@/shared/realtime/useTick';
import styles from './Sparkline.module.css';
import { HEIGHT, sparklineShape, WIDTH } from './sparklineShape';

/** The line itself, once it is known. It renders once a minute, and when the change beside it gets another side. */
export default function SparklineLine({ item }: { item: Item }) {
  const { data } = useQuery(sparklineQuery(item.isuSrtCd));
  const shape = useMemo(() => data && sparklineShape(data), [data]);
  const side = useTone(item);
  return (
    shape && (
      <svg className={`${styles.line} ${styles[side]}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <line className={styles.baseline} x1="0" x2={WIDTH} y1={shape.baseline} y2={shape.baseline} />
        {shape.points !== '' && <polyline points={shape.points} />}
      </svg>
    )
  );
}

/** The side of the change that the row shows. The prices of the line are up to a minute older. */
function useTone(item: Item): Tone {
  const code = item.isuSrtCd;
  const destination = destinationOf(item.marketCode);
  const subscribe = useCallback((listener: () => void) => tickStore.subscribe(code, destination, listener), [code, destination]);
  return useSyncExternalStore(subscribe, () => tone(shownPct(quoteChange(liveQuote(item)))));
}
