import type { ApiProblem } from '@/shared/api/apiProblem';
import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { moneyCopy } from './copy.money';
import type { MoneyOutcome } from './sendMoney';

interface MoneyFailureProps {
  outcome: MoneyOutcome<unknown> | null;
  /** The title of a refusal. */
  title: string;
  /** The sentence of a refusal; the server's own by default. */
  sentence?: (problem: ApiProblem) => string;
  isRetrying: boolean;
  onRetry: () => void;
  onDismiss: () => void;
}

/** Shows a refusal in the server's words, or the choices when the outcome is unknown. */
export function MoneyFailure({ outcome, title, sentence, isRetrying, onRetry, onDismiss }: MoneyFailureProps) {
  const problem = outcome?.kind === 'refused' ? outcome.problem : null;
  return (
    <>
      <Dialog
        open={problem !== null}
        alert
        title={title}
        body={problem && ((sentence ?? messageOf)(problem) || moneyCopy.failedFallback)}
        closeLabel={action.confirm}
        onClose={onDismiss}
      />
      <Dialog
        open={outcome?.kind === 'unknown' || isRetrying}
        alert
        title={moneyCopy.unknownTitle}
        body={moneyCopy.unknownBody}
        onClose={onDismiss}
        confirm={{ label: moneyCopy.checkAgain, onClick: onRetry, busy: isRetrying }}
      />
    </>
  );
}

function messageOf({ message }: ApiProblem): string {
  return message;
}
