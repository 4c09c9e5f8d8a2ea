import { useEffect, useState } from 'react';
import { appName, state } from '@/shared/copy/copy.shared';
import { ErrorState } from '@/shared/ui/States';
import { Spinner } from '@/shared/ui/Spinner';
import styles from './session.module.css';

const TIMEOUT_MS = 8_000;

interface BootProps {
  /** True once the session is known to be valid or absent. */
  isDecided: boolean;
  hasFailed: boolean;
  onRetry: () => void;
  onDecided: () => void;
}

/** The splash screen while the session is checked, for eight seconds at most. */
export function Boot({ isDecided, hasFailed, onRetry, onDecided }: BootProps) {
  const [isTooLong, setTooLong] = useState(false);
  useEffect(() => {
    if (isDecided) onDecided();
  }, [isDecided, onDecided]);
  useEffect(() => {
    const timer = setTimeout(() => setTooLong(true), TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [isTooLong]);

  if (hasFailed || isTooLong) {
    return (
      <ErrorState
        title={state.bootError}
        onRetry={() => {
          setTooLong(false);
          onRetry();
        }}
      />
    );
  }
  return (
    <div className={styles.splash} role="status">
      <span aria-hidden="true" className={styles.legend}>
        {appName}
      </span>
      <span className="sr-only">{state.opening}</span>
      <Spinner />
    </div>
  );
}
