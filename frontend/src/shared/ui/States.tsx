import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useLastKnownAt } from '@/shared/api/lastKnownAt';
import { state } from '@/shared/copy/copy.shared';
import { kstTime } from '@/shared/format/kst';
import { Button } from './Button';
import { AlertIcon, CloudOffIcon, EmptyIcon } from './icons';
import styles from './States.module.css';

/** Nothing here yet: one icon, one sentence, at most one way on. */
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

/** Something could not be loaded: says so, offers to try again, and shows the request's number small. */
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

/** True while the browser has a connection. */
export function useIsOnline(): boolean {
  const [isOnline, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return isOnline;
}

/** When the connection went; null while there is one, and for a page that was opened without. */
function useLossOfConnection(): Date | null {
  const [since, setSince] = useState<Date | null>(null);
  useEffect(() => {
    const lose = () => setSince(new Date());
    const regain = () => setSince(null);
    window.addEventListener('offline', lose);
    window.addEventListener('online', regain);
    return () => {
      window.removeEventListener('offline', lose);
      window.removeEventListener('online', regain);
    };
  }, []);
  return since;
}

/** The strip on top while offline, with the time of the last known content. */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  const since = useLossOfConnection();
  const keptFrom = useLastKnownAt();
  if (isOnline) return null;
  const asOf = keptFrom ?? since;
  return (
    <div className={styles.banner} role="status">
      <CloudOffIcon size={16} /> {state.offline} {asOf && state.offlineSince(kstTime(asOf))}
    </div>
  );
}
