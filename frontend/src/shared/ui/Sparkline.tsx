import { lazy, memo, Suspense } from 'react';
import type { Item } from '@/shared/api/types';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';
import styles from './Sparkline.module.css';

/** Where the line will be. */
const Room = () => <svg className={styles.line} aria-hidden="true" />;

/** Fetched when the first screen is up: no price waits for a line. Without it the rows are as good. */
const Line = lazy(async () => {
  await new Promise<void>(whenPageIdle);
  return import(/* webpackChunkName: "sparkline" */ './SparklineLine').catch(() => ({ default: Room }));
});

/**
 * An instrument's day as a small line over the close of the day before. Its place and width are the same in every row of a list,
 * and so is the time it covers. Decorative: the change in percent says the same.
 */
export const Sparkline = memo(function Sparkline({ item }: { item: Item }) {
  return (
    <Suspense fallback={<Room />}>
      <Line item={item} />
    </Suspense>
  );
});
