import { lazy, memo, Suspense } from 'react';
import type { Item } from '@/shared/api/types';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';
import styles from './Sparkline.module.css';

/** Reserves the room of the line. */
const Placeholder = () => <svg className={styles.line} aria-hidden="true" />;

/** Loaded after the first screen, so that no price waits for it. Rows work without it. */
const Line = lazy(async () => {
  await new Promise<void>(whenPageIdle);
  return import(/* webpackChunkName: "sparkline" */ './SparklineLine').catch(() => ({ default: Placeholder }));
});

/**
 * The day of an instrument as a small line over the previous close. Its position, width and time span are the same in every
 * row. Decorative: the change in percent says the same.
 */
export const Sparkline = memo(function Sparkline({ item }: { item: Item }) {
  return (
    <Suspense fallback={<Placeholder />}>
      <Line item={item} />
    </Suspense>
  );
});
