import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { endReasonSentence, modifyCopy, resultCopy } from '@/features/order/copy';
import type { AttemptOutcome } from '@/features/order/orderAttempt';

interface OrderFailureProps {
  /** A modification failed. */
  isChange: boolean;
  outcome: AttemptOutcome | null;
  isRetrying: boolean;
  onRetry: () => void;
  onDismiss: () => void;
}

/** Shows a rejection in the server's words, or the choices when the outcome is unknown. */
export function OrderFailure({ isChange, outcome, isRetrying, onRetry, onDismiss }: OrderFailureProps) {
  const isUnknown = outcome?.kind === 'unknown';
  return (
    <>
      <Dialog
        open={outcome?.kind === 'rejected' || outcome?.kind === 'ended'}
        alert
        title={isChange ? modifyCopy.failed : resultCopy.failed}
        body={sentenceOf(outcome) || (isChange ? modifyCopy.failedFallback : resultCopy.failedFallback)}
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

function sentenceOf(outcome: AttemptOutcome | null): string {
  switch (outcome?.kind) {
    case 'rejected':
      return outcome.message;
    case 'ended':
      return endReasonSentence(outcome.reason);
    case 'done':
    case 'unknown':
    case undefined:
      return '';
  }
}
