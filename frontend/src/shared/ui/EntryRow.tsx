import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './EntryRow.module.css';

interface EntryRowProps {
  /** Something small in front, such as an avatar. */
  lead: ReactNode;
  name: ReactNode;
  /** The line under the name. */
  detail: ReactNode;
  /** A further line, as wide as the row. */
  more?: ReactNode;
  /** The figure at the end, and the line under it. */
  value: ReactNode;
  note: ReactNode;
  /** Where the row leads, or what it does; without either it only says something. */
  to?: string;
  onClick?: () => void;
}

/** One entry of a member's list: a name with what belongs to it, and a figure with what belongs to that. At least 72 px high. */
export function EntryRow({ lead, name, detail, more, value, note, to, onClick }: EntryRowProps) {
  const content = (
    <>
      {lead}
      <span className={styles.facts}>
        <span className={styles.text}>
          <span className={styles.name}>{name}</span>
          <span className={styles.line}>{detail}</span>
        </span>
        {more && <span className={`${styles.line} ${styles.more}`}>{more}</span>}
        <span className={styles.end}>
          <span className={styles.value}>{value}</span>
          <span className={styles.line}>{note}</span>
        </span>
      </span>
    </>
  );
  if (to !== undefined) {
    return (
      <Link to={to} className={styles.row}>
        {content}
      </Link>
    );
  }
  if (!onClick) return <div className={styles.row}>{content}</div>;
  return (
    <button type="button" className={styles.row} onClick={onClick}>
      {content}
    </button>
  );
}
