import styles from './Spinner.module.css';

/** A spinner; the surrounding text says what it waits for. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`${styles.spinner} ${className}`} />;
}
