import { pct } from '@/shared/format/pct';
import { ShareBar } from '@/shared/ui/ShareBar';
import { holdingsCopy } from './copy';
import styles from './Holdings.module.css';
import { HOLDING_KINDS, type HoldingKind, kindOfMarket, totalOf } from './holdingsValue';
import type { LiveHolding } from './useLiveHoldings';

const LOOKS: Record<HoldingKind, string | undefined> = {
  stock: styles.stockShare,
  coin: styles.coinShare,
  gold: styles.goldShare,
};

/** How the holdings divide by kind: a bar for the eye and the same in words. */
export function AssetShares({ rows }: { rows: readonly LiveHolding[] }) {
  const total = valueOf(rows);
  if (total <= 0) return null;
  const shares = HOLDING_KINDS.map((kind) => {
    const ofKind = rows.filter(({ holding }) => kindOfMarket(holding.marketCode) === kind);
    return { kind, percent: (valueOf(ofKind) / total) * 100 };
  }).filter(({ percent }) => percent > 0);
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

function valueOf(rows: readonly LiveHolding[]): number {
  return totalOf(rows.map(({ valued }) => valued)).valueWon ?? 0;
}
