import styles from './ShareBar.module.css';

interface ShareBarProps {
  /** In their order; `look` is the class of a part's colour. */
  parts: readonly { name: string; size: number; look: string | undefined }[];
}

/** The shares of a whole as a bar. Decorative: the same must be next to it in words. */
export function ShareBar({ parts }: ShareBarProps) {
  return (
    <div className={styles.bar} aria-hidden="true">
      {parts
        .filter(({ size }) => size > 0)
        .map(({ name, size, look }) => (
          <span key={name} className={look} style={{ flexGrow: size }} />
        ))}
    </div>
  );
}
