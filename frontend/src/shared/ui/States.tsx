import { type ReactNode, useSyncExternalStore } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useLastKnownAt } from '@/shared/api/lastKnownAt';
import { state } from '@/shared/copy/copy.shared';
import { kstTime } from '@/shared/format/kst';
import { Button } from './Button';
import { AlertIcon, CloudOffIcon, EmptyIcon } from './icons';
import styles from './States.module.css';

/** An empty list: one icon, one sentence, at most one link. */
export function EmptyState({ title, body, action }: { title: string; body?: string; action?: ReactNode }) {
  return (
    <div className={styles.state} role="status">
      <EmptyIcon size={40} />
      <p className={styles.title}>{title}</p>
      {body && <p className={styles.body}>{body}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title?: string;
  body?: string | undefined;
  error?: unknown;
  onRetry?: () => void;
  action?: ReactNode;
}

/** A failed load: a message, a retry, and the trace id in small print. */
export function ErrorState({ title, body, error, onRetry, action }: ErrorStateProps) {
  const isOnline = useIsOnline();
  const traceId = error instanceof ApiProblem ? error.traceId : '';
  return (
    <div className={styles.state} role="alert">
      <AlertIcon size={40} />
      <p className={styles.title}>{title ?? (isOnline ? state.errorTitle : state.coldOffline)}</p>
      <p className={styles.body}>{body ?? (isOnline ? state.errorBody : '')}</p>
      {onRetry && (
        <div className={styles.action}>
          <Button tone="neutral" onClick={onRetry}>
            {state.retry}
          </Button>
        </div>
      )}
      {action && <div className={styles.action}>{action}</div>}
      {traceId && <p className={styles.small}>{state.requestId(traceId)}</p>}
    </div>
  );
}

/** When the connection was lost; null while online, and for a page opened offline. */
let lostAt: Date | null = null;
// Registered at load: listeners of a screen would miss a change before its effects run.
window.addEventListener('offline', () => (lostAt = new Date()));
window.addEventListener('online', () => (lostAt = null));

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
}

/** The strip on top while offline, with the time of the last known content. */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  const since = useSyncExternalStore(subscribeToConnection, () => lostAt);
  const keptFrom = useLastKnownAt();
  if (isOnline) return null;
  const asOf = keptFrom ?? since;
  return (
    <div className={styles.banner} role="status">
      <CloudOffIcon size={16} /> {state.offline} {asOf && state.offlineSince(kstTime(asOf))}
    </div>
  );
}
