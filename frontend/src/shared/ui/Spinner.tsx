import styles from './Spinner.module.css';

/** A turning ring; what it waits for is said by its surroundings. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`${styles.spinner} ${className}`} />;
}
