import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronIcon } from '@/shared/ui/icons';
import styles from './My.module.css';

/** A headed group of the my page. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** A row that leads somewhere. */
export function LinkRow({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      <span>{children}</span>
      <ChevronIcon size={20} />
    </Link>
  );
}
