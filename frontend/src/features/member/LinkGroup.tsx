import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronIcon } from '@/shared/ui/icons';
import styles from './My.module.css';

/** A group with a heading on the my page. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** A link row; `value` shows the current state. */
export function LinkRow({ to, value, children }: { to: string; value?: ReactNode; children: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      <span className={styles.linkName}>{children}</span>
      {value !== undefined && <span className={styles.value}>{value}</span>}
      <ChevronIcon size={20} />
    </Link>
  );
}

/** A static row. */
export function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <p className={styles.setting}>
      <span className={styles.settingName}>{name}</span>
      <span className={styles.value}>{value}</span>
    </p>
  );
}
