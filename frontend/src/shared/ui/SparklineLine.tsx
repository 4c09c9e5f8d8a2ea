import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sparklineQuery } from '@/shared/api/sparklines';
import type { Item } from '@/shared/api/types';
import { shownPct } from '@/shared/format/pct';
import { type Tone, tone } from '@/shared/format/tone';
import type { Tick } from '@/shared/realtime/tick';
import { quoteChange, useQuoteValue } from '@/shared/realtime/useTick';
import styles from './Sparkline.module.css';
import { HEIGHT, sparklineShape, WIDTH } from './sparklineShape';

/** The loaded line. Renders once a minute, and when the direction of the change flips. */
export default function SparklineLine({ item }: { item: Item }) {
  const { data } = useQuery(sparklineQuery(item.isuSrtCd));
  const shape = useMemo(() => data && sparklineShape(data), [data]);
  // The line's prices are up to a minute older than the change next to it.
  const side = useQuoteValue(item, toneOf);
  return (
    <svg
      className={`${styles.line} ${shape ? styles.dashed : ''}`}
      style={shape ? { backgroundPositionY: `${(shape.baseline / HEIGHT) * 100}%` } : undefined}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {shape && shape.points !== '' && <polyline className={styles[side]} points={shape.points} />}
    </svg>
  );
}

/** The direction of the change as shown. */
function toneOf(quote: Tick): Tone {
  return tone(shownPct(quoteChange(quote)));
}
