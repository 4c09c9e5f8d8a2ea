import styles from './ShareBar.module.css';

interface ShareBarProps {
  /** In the order they stand in; `look` is the class that colours a part. */
  parts: readonly { name: string; size: number; look: string | undefined }[];
}

/** How a whole divides, for the eye; the same must stand beside it in words. */
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
