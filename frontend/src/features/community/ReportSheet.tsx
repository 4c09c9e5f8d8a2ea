import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { TextArea } from '@/shared/ui/TextArea';
import styles from './Menu.module.css';
import { sendReport } from './moderationApi';
import { postCopy } from './copy';
import { moderationCopy } from './copy.moderation';
import { messageOf } from './messageOf';
import { REASONS, type ReportBody, type ReportReason } from './types';

const LONGEST = 300;

interface ReportSheetProps {
  open: boolean;
  memberSid: number;
  target: Pick<ReportBody, 'kind' | 'sid'>;
  onClose: () => void;
}

/** Asks for the reason of a report and sends it. */
export function ReportSheet({ open, memberSid, target, onClose }: ReportSheetProps) {
  const id = useId();
  const isOnline = useIsOnline();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isTooLong = [...text.trim()].length > LONGEST;
  const report = useMutation({
    mutationFn: sendReport,
    onSuccess: () => {
      onClose();
      setReason(null);
      setText('');
      setChecked(false);
      showSnackbar(moderationCopy.reported);
    },
    onError: (problem) => showSnackbar(messageOf(problem, moderationCopy.reportFailed)),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (reason === null || isTooLong || !isOnline || report.isPending) return;
    const said = text.trim();
    report.mutate({ memberSid, ...target, reason, ...(said !== '' && { text: said }) });
  };

  const problem = isChecked && reason === null ? moderationCopy.chooseReason : null;
  return (
    <Sheet open={open} title={moderationCopy.reportTitle} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <fieldset aria-describedby={`${id}-problem`}>
          <legend className="sr-only">{moderationCopy.reportTitle}</legend>
          {REASONS.map((known) => (
            <label key={known} className={styles.radio}>
              {/* The rule does not see the text of the label around it. */}
              {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
              <input type="radio" name={`${id}-reason`} value={known} checked={reason === known} onChange={() => setReason(known)} />
              {moderationCopy.reasons[known]}
            </label>
          ))}
        </fieldset>
        <TextArea label={moderationCopy.reportText} value={text} onChange={setText} longest={LONGEST} error={isTooLong ? moderationCopy.reportTextTooLong : null} />
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {isOnline ? problem : state.offlineBlocked}
        </p>
        <Button type="submit" tone="danger" size="large" block busy={report.isPending} disabled={!isOnline} describedBy={`${id}-problem`}>
          {postCopy.report}
        </Button>
      </form>
    </Sheet>
  );
}
