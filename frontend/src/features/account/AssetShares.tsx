import { CATEGORIES, type Category, categoryOf } from '@/shared/api/assets';
import { market } from '@/shared/copy/copy.shared';
import { pct } from '@/shared/format/pct';
import { ShareBar } from '@/shared/ui/ShareBar';
import { holdingsCopy } from './copy';
import { accountsCopy } from './copy.accounts';
import styles from './Holdings.module.css';
import { totalOf } from './holdingsValue';
import type { LiveHolding } from './useLiveHoldings';

const LOOKS: Record<Category, string | undefined> = {
  stock: styles.stockShare,
  coin: styles.coinShare,
  gold: styles.goldShare,
};

interface AssetSharesProps {
  rows: readonly LiveHolding[];
  /** Won in deposits and savings. */
  savedWon: number;
  /** The cash; without it the holdings alone are the whole. */
  cashWon?: number;
}

/** The allocation by kind, as a bar and in words. */
export function AssetShares({ rows, savedWon, cashWon }: AssetSharesProps) {
  const total = valueOf(rows) + savedWon + (cashWon ?? 0);
  if (total <= 0) return null;
  const owned = CATEGORIES.map((kind) => {
    const ofKind = rows.filter(({ holding }) => categoryOf(holding.marketCode) === kind);
    return { name: market.investTab[kind], look: LOOKS[kind], size: valueOf(ofKind) };
  });
  const saved = { name: holdingsCopy.saved, look: styles.savedShare, size: savedWon };
  const cash = { name: accountsCopy.deposit, look: styles.cashShare, size: cashWon ?? 0 };
  const parts = [...owned, saved, cash].filter(({ size }) => size > 0);
  return (
    <section className={styles.shares} aria-label={cashWon === undefined ? holdingsCopy.shares : accountsCopy.shares}>
      {cashWon !== undefined && <h2 className={styles.sharesTitle}>{accountsCopy.shares}</h2>}
      <ShareBar parts={parts} />
      <ul className={styles.legend}>
        {parts.map(({ name, look, size }) => (
          <li key={name}>
            <span aria-hidden="true" className={`${styles.dot} ${look}`} />
            {name} {pct((size / total) * 100)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function valueOf(rows: readonly LiveHolding[]): number {
  return totalOf(rows.map(({ valued }) => valued)).valueWon ?? 0;
}
