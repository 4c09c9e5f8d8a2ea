import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { endReasonSentence, resultCopy } from '@/features/order/copy';
import type { AttemptOutcome } from '@/features/order/orderAttempt';

interface OrderFailureProps {
  outcome: AttemptOutcome | null;
  isRetrying: boolean;
  onRetry: () => void;
  onDismiss: () => void;
}

/** Shows a rejection in the server's words, or the choices when the outcome is unknown. */
export function OrderFailure({ outcome, isRetrying, onRetry, onDismiss }: OrderFailureProps) {
  const isUnknown = outcome?.kind === 'unknown';
  return (
    <>
      <Dialog
        open={outcome?.kind === 'rejected' || outcome?.kind === 'ended'}
        alert
        title={resultCopy.failed}
        body={sentenceOf(outcome) || resultCopy.failedFallback}
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
