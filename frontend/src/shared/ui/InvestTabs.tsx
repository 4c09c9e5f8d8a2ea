import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useCompetes } from '@/shared/api/memberQuery';
import { market } from '@/shared/copy/copy.shared';
import { listHref } from '@/shared/paths';
import { INVEST_TABS, type InvestTab, rememberInvestTab } from '@/shared/platform/lastInvestPath';
import styles from './InvestTabs.module.css';

const TABS_ALWAYS_IN_VIEW = 3;

/** The tabs above the invest lists, of which a competition has one. The current tab opens next time. */
export function InvestTabs({ current }: { current: InvestTab }) {
  const here = useRef<HTMLAnchorElement>(null);
  const competes = useCompetes();
  useEffect(() => {
    rememberInvestTab(current);
    // On a narrow phone the strip is wider than the frame. Its first tabs are always in view, and measuring them would delay
    // the first frame.
    if (INVEST_TABS.indexOf(current) < TABS_ALWAYS_IN_VIEW) return;
    (here.current as Partial<HTMLElement> | null)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  if (competes) return null;
  return (
    <nav className={styles.strip} aria-label={market.investTabs}>
      {INVEST_TABS.map((tab) => (
        <Link
          key={tab}
          ref={tab === current ? here : null}
          to={listHref(tab)}
          className={styles.tab}
          aria-current={tab === current ? 'page' : undefined}
        >
          {market.investTab[tab]}
        </Link>
      ))}
    </nav>
  );
}
