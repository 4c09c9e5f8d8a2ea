import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { ClockIcon } from '@/shared/ui/icons';
import { homeCopy } from './copy';
import styles from './QuickRow.module.css';

interface Entry {
  to: string;
  label: string;
  icon: ComponentType;
}

const ENTRIES: readonly Entry[] = [
  { to: moneyPaths.transfer, label: homeCopy.transfer, icon: TransferIcon },
  { to: moneyPaths.pointTransfer, label: homeCopy.points, icon: PointIcon },
  { to: paths.waitingOrders, label: homeCopy.waiting, icon: ClockIcon },
  { to: moneyPaths.profitLoss, label: homeCopy.profitLoss, icon: ProfitIcon },
];

/** The member's most frequent ways: moving money and points, waiting orders, profit and loss. */
export function QuickRow({ waitingCount }: { waitingCount: number }) {
  return (
    <nav aria-label={homeCopy.quick}>
      <ul className={styles.row}>
        {ENTRIES.map(({ to, label, icon: EntryIcon }) => {
          const count = to === paths.waitingOrders ? waitingCount : 0;
          return (
            <li key={to}>
              <Link to={to} className={styles.entry}>
                <span className={styles.icon} aria-hidden="true">
                  <EntryIcon />
                  {count > 0 && <span className={styles.count}>{count > MOST ? `${MOST}+` : count}</span>}
                </span>
                {label} {count > 0 && <span className="sr-only">{homeCopy.count(count)}</span>}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const MOST = 99;

function TransferIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24">
      <path d="M4 9h15m0 0-4-4m4 4-4 4M20 16H5m0 0 4-4m-4 4 4 4" />
    </svg>
  );
}

function ProfitIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24">
      <path d="M4 20h16M4 15l5-5 4 3 7-8m0 0h-5m5 0v5" />
    </svg>
  );
}

function PointIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24">
      <circle cx="12" cy="12" r="8.5" />
      <path d="M10 16.5v-9h3a2.5 2.5 0 0 1 0 5h-3" />
    </svg>
  );
}
