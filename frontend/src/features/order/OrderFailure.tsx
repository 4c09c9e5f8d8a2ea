import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { endReasonSentence, resultCopy } from './copy';
import type { AttemptOutcome } from './orderAttempt';

interface OrderFailureProps {
  outcome: AttemptOutcome | null;
  isRetrying: boolean;
  onRetry: () => void;
  onDismiss: () => void;
}

/** What a refusal says in the server's own words, and what can be done when nobody knows how the order ended. */
export function OrderFailure({ outcome, isRetrying, onRetry, onDismiss }: OrderFailureProps) {
  const isUnknown = outcome?.kind === 'unknown';
  const refusal = outcome?.kind === 'refused' ? outcome.message || endReasonSentence(outcome.reason) : '';
  return (
    <>
      <Dialog
        open={outcome?.kind === 'refused'}
        alert
        title={resultCopy.failed}
        body={refusal || resultCopy.failedFallback}
        closeLabel={action.confirm}
        onClose={onDismiss}
      />
      <Dialog
        open={isUnknown || isRetrying}
        alert
        title={resultCopy.unknownTitle}
        body={resultCopy.unknownBody}
        onClose={onDismiss}
        confirm={{ label: resultCopy.checkAgain, onClick: onRetry, busy: isRetrying }}
      />
    </>
  );
}
