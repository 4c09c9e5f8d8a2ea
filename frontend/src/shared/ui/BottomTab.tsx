import type { ComponentType } from 'react';
import { Link, useLocation } from 'react-router';
import { nav } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import styles from './BottomTab.module.css';

export interface TabItem {
  label: string;
  to: string;
  /** Paths below these prefixes belong to the tab; the first is its own screen. */
  prefixes: readonly string[];
  icon: ComponentType;
  /** What a dot on the icon means. */
  news?: string | undefined;
}

/** The tab bar. Tapping the current tab scrolls to the top, or leads back to the tab's own screen. */
export function BottomTab({ items }: { items: readonly TabItem[] }) {
  const { pathname } = useLocation();
  return (
    <>
      <div className={styles.space} aria-hidden="true" />
      <nav className={styles.nav} aria-label={nav.main}>
        <ul className={styles.list}>
          {items.map(({ label, to, prefixes, icon: TabIcon, news }) => {
            const isCurrent = prefixes.some((prefix) => pathname.startsWith(prefix));
            const isAtTop = prefixes[0] !== undefined && pathname.startsWith(prefixes[0]);
            return (
              <li key={label}>
                <Link
                  to={to}
                  // Returning to a tab restores its scroll position.
                  state={{ keepsScroll: !isCurrent }}
                  className={styles.tab}
                  aria-current={isCurrent ? 'page' : undefined}
                  onClick={(event) => {
                    haptic('selection');
                    if (!isAtTop) return;
                    event.preventDefault();
                    window.scrollTo({ top: 0, behavior: 'smooth' });
                  }}
                >
                  <TabIcon />
                  {label}
                  {news && ' '}
                  {news && <span className="sr-only">{news}</span>}
                  {news && <span className={styles.dot} aria-hidden="true" />}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
    </>
  );
}
