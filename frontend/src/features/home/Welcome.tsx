import { Link } from 'react-router';
import { action, appName } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { ButtonLink } from '@/shared/ui/Button';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';
import { welcomeCopy } from './copy';
import { PopularShort } from './PopularShort';
import styles from './Welcome.module.css';

// As many as fit a tall phone; the styles hide some on a short one.
const SHOWN = 5;

/** The first screen of a visitor: what the product is, live prices and the ways in. Fits a phone without scrolling. */
export function Welcome() {
  return (
    <>
      <TopBar
        title={appName}
        actions={
          <Link to={paths.login} className={styles.login}>
            {action.login}
          </Link>
        }
      />
      <main id="main" className={styles.page}>
        <h2 className={styles.title}>{welcomeCopy.title}</h2>
        <p className={styles.lead}>{welcomeCopy.lead}</p>
        <section className={styles.market} aria-label={welcomeCopy.market}>
          <div className={styles.head}>
            <h3 className={styles.heading}>{welcomeCopy.market}</h3>
            <PriceStatus />
          </div>
          <PopularShort shown={SHOWN} />
        </section>
        <BottomCTA helper={welcomeCopy.helper}>
          <ButtonLink to={paths.stockList} tone="neutral" size="large">
            {welcomeCopy.browse}
          </ButtonLink>
          <ButtonLink to={paths.join} size="large">
            {welcomeCopy.start}
          </ButtonLink>
        </BottomCTA>
      </main>
    </>
  );
}
