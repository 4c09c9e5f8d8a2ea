import type { ApiProblem } from '@/shared/api/apiProblem';
import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { moneyCopy } from './copy.money';
import type { MoneyOutcome } from './sendMoney';

interface MoneyFailureProps {
  attempt: {
    failure: Exclude<MoneyOutcome<unknown>, { kind: 'done' }> | null;
    isRetrying: boolean;
    sendAgain: () => void;
    dismiss: () => void;
  };
  /** The title of a refusal. */
  title: string;
  /** The sentence of a refusal; the server's own by default. */
  sentence?: (problem: ApiProblem) => string;
  /** Called after the member has dismissed it. */
  onDismissed?: () => void;
}

/** Shows a refusal in the server's words, or the choices when the outcome is unknown. */
export function MoneyFailure({ attempt: { failure, isRetrying, sendAgain, dismiss }, title, sentence, onDismissed }: MoneyFailureProps) {
  const problem = failure?.kind === 'refused' ? failure.problem : null;
  const onClose = () => {
    dismiss();
    onDismissed?.();
  };
  return (
    <>
      <Dialog
        open={problem !== null}
        alert
        title={title}
        body={problem && ((sentence ?? messageOf)(problem) || moneyCopy.failedFallback)}
        closeLabel={action.confirm}
        onClose={onClose}
      />
      <Dialog
        open={failure?.kind === 'unknown' || isRetrying}
        alert
        title={moneyCopy.unknownTitle}
        body={moneyCopy.unknownBody}
        onClose={onClose}
        confirm={{ label: moneyCopy.checkAgain, onClick: sendAgain, busy: isRetrying }}
      />
    </>
  );
}

function messageOf({ message }: ApiProblem): string {
  return message;
}
