import { type ReactNode, useId } from 'react';
import { Link, type To } from 'react-router';
import { action, state } from '@/shared/copy/copy.shared';
import { Button } from './Button';
import { ChevronIcon } from './icons';
import styles from './Section.module.css';

interface SectionProps {
  title: string;
  /** The link to the complete list, if there is one. */
  all?: To;
  children: ReactNode;
}

/** A part of a screen with a heading, which loads and fails on its own. */
export function Section({ title, all, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {all !== undefined && (
          <Link to={all} className={styles.all} aria-label={action.seeAllOf(title)}>
            {action.seeAll}
            <ChevronIcon size={16} />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** One line in place of a section that failed to load. */
export function SectionError({ title = state.errorTitle, onRetry }: { title?: string; onRetry: () => void }) {
  return (
    <div className={styles.error} role="alert">
      <p>{title}</p>
      <Button tone="neutral" onClick={onRetry}>
        {state.retry}
      </Button>
    </div>
  );
}
