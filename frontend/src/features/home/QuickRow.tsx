import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { paths } from '@/shared/paths';
import { ClockIcon, HeartIcon, ReceiptIcon, WalletIcon } from '@/shared/ui/icons';
import { homeCopy } from './copy';
import styles from './QuickRow.module.css';

interface Entry {
  to: string;
  label: string;
  icon: ComponentType;
}

const ENTRIES: readonly Entry[] = [
  { to: paths.waitingOrders, label: homeCopy.waiting, icon: ClockIcon },
  { to: paths.orderHistory, label: homeCopy.history, icon: ReceiptIcon },
  { to: paths.holdings, label: homeCopy.holdings, icon: WalletIcon },
  { to: paths.likes, label: homeCopy.likes, icon: HeartIcon },
];

/** Links to the member's own lists. */
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
