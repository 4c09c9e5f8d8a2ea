import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './EntryRow.module.css';

interface EntryRowProps {
  /** Leading content, such as an avatar. */
  lead: ReactNode;
  name: ReactNode;
  /** The line below the name. */
  detail: ReactNode;
  /** A further line across the row. */
  more?: ReactNode;
  /** The figure at the end, and the line below it. */
  value: ReactNode;
  note: ReactNode;
  /** The link or the action of the row; without either it is static. */
  to?: string;
  onClick?: () => void;
}

/** An entry of a member's list: a name and a figure, each with details. At least 72 px high. */
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
