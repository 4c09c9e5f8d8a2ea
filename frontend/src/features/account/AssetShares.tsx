import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { pct } from '@/shared/format/pct';
import { holdingsCopy } from './copy';
import styles from './Holdings.module.css';
import { useLiveTotal } from './useLiveHoldings';

/** How the holdings divide by kind: a bar for the eye and the same in words. */
export function AssetShares({ holdings }: { holdings: readonly Holding[] }) {
  const total = useLiveTotal(holdings).valueWon ?? 0;
  const coins = useMemo(() => holdings.filter(({ marketCode }) => marketCode === 'COIN'), [holdings]);
  const coinTotal = useLiveTotal(coins).valueWon ?? 0;
  if (total <= 0) return null;
  const coinPercent = (coinTotal / total) * 100;
  const shares = [
    { name: holdingsCopy.stock, percent: 100 - coinPercent, look: styles.stockShare },
    { name: holdingsCopy.coin, percent: coinPercent, look: styles.coinShare },
  ].filter(({ percent }) => percent > 0);
  return (
    <section className={styles.shares} aria-label={holdingsCopy.shares}>
      <div className={styles.bar} aria-hidden="true">
        {shares.map(({ name, percent, look }) => (
          <span key={name} className={look} style={{ flexGrow: percent }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {shares.map(({ name, percent, look }) => (
          <li key={name}>
            <span aria-hidden="true" className={`${styles.dot} ${look}`} />
            {name} {pct(percent)}
          </li>
        ))}
      </ul>
    </section>
  );
}
