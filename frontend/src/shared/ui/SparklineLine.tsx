import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sparklineQuery } from '@/shared/api/sparklines';
import styles from './Sparkline.module.css';
import { HEIGHT, sparklineShape, WIDTH } from './sparklineShape';

/** The line itself, once it is known. It renders once a minute and with no tick. */
export default function SparklineLine({ code }: { code: string }) {
  const { data } = useQuery(sparklineQuery(code));
  const shape = useMemo(() => data && sparklineShape(data), [data]);
  return (
    shape && (
      <svg className={`${styles.line} ${styles[shape.tone]}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <line className={styles.baseline} x1="0" x2={WIDTH} y1={shape.baseline} y2={shape.baseline} />
        <polyline points={shape.points} />
      </svg>
    )
  );
}
