import { lazy, memo, Suspense } from 'react';
import { whenQuiet } from '@/shared/platform/whenQuiet';
import styles from './Sparkline.module.css';

const Nothing = () => null;

/** Fetched when the first screen is up: no price waits for a line. Without it the rows are as good. */
const Line = lazy(async () => {
  await new Promise<void>(whenQuiet);
  return import(/* webpackChunkName: "sparkline" */ './SparklineLine').catch(() => ({ default: Nothing }));
});

/**
 * An instrument's day as a small line over the close of the day before, in whatever room the words beside it leave. Decorative:
 * the change in percent says the same.
 */
export const Sparkline = memo(function Sparkline({ code }: { code: string }) {
  return (
    <span className={styles.room} aria-hidden="true">
      <Suspense fallback={null}>
        <Line code={code} />
      </Suspense>
    </span>
  );
});
