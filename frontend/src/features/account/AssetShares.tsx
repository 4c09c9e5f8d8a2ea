import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { pct } from '@/shared/format/pct';
import { ShareBar } from '@/shared/ui/ShareBar';
import { holdingsCopy } from './copy';
import styles from './Holdings.module.css';
import { HOLDING_KINDS, type HoldingKind, kindOfMarket } from './holdingsValue';
import { useLiveTotal } from './useLiveHoldings';

const LOOKS: Record<HoldingKind, string | undefined> = {
  stock: styles.stockShare,
  coin: styles.coinShare,
  gold: styles.goldShare,
};

/** How the holdings divide by kind: a bar for the eye and the same in words. */
export function AssetShares({ holdings }: { holdings: readonly Holding[] }) {
  const total = useLiveTotal(holdings).valueWon ?? 0;
  const coins = useLiveTotal(useHoldingsOf('coin', holdings)).valueWon ?? 0;
  const gold = useLiveTotal(useHoldingsOf('gold', holdings)).valueWon ?? 0;
  if (total <= 0) return null;
  const values: Record<HoldingKind, number> = { stock: total - coins - gold, coin: coins, gold };
  const shares = HOLDING_KINDS.map((kind) => ({ kind, percent: (values[kind] / total) * 100 })).filter(({ percent }) => percent > 0);
  return (
    <section className={styles.shares} aria-label={holdingsCopy.shares}>
      <ShareBar parts={shares.map(({ kind, percent }) => ({ name: kind, size: percent, look: LOOKS[kind] }))} />
      <ul className={styles.legend}>
        {shares.map(({ kind, percent }) => (
          <li key={kind}>
            <span aria-hidden="true" className={`${styles.dot} ${LOOKS[kind]}`} />
            {holdingsCopy.kind[kind]} {pct(percent)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useHoldingsOf(kind: HoldingKind, holdings: readonly Holding[]): readonly Holding[] {
  return useMemo(() => holdings.filter(({ marketCode }) => kindOfMarket(marketCode) === kind), [kind, holdings]);
}
