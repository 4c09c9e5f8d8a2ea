import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import { newRequestId } from '@/shared/api/requestId';
import { state } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { TextArea } from '@/shared/ui/TextArea';
import { decisionCopy } from './copy.decisions';
import { sendAppeal } from './decisionsApi';
import { hidingQuery } from './decisionsQueries';
import styles from './Menu.module.css';
import { messageOf } from './messageOf';
import type { TextName } from './types';

const LONGEST = 500;

interface AppealSheetProps {
  open: boolean;
  memberSid: number;
  text: TextName;
  onClose: () => void;
}

/** Asks why a text should be shown again and sends it. A retry after a lost reply carries the same request id. */
export function AppealSheet({ open, memberSid, text, onClose }: AppealSheetProps) {
  const id = useId();
  const isOnline = useIsOnline();
  const queryClient = useQueryClient();
  const attempt = useRef<{ words: string; reqSid: string } | null>(null);
  const [words, setWords] = useState('');
  const [isChecked, setChecked] = useState(false);
  const said = words.trim();
  const problem = problemOf(said, isChecked);
  const appeal = useMutation({
    mutationFn: (reqSid: string) => sendAppeal({ memberSid, ...text, text: said, reqSid }),
    onSuccess: () => {
      onClose();
      showSnackbar(decisionCopy.appealed);
    },
    onError: (failure) => {
      // Other rejections say nothing about an earlier send whose reply was lost.
      if (isProblem(failure, 'REQ_SID_REUSED')) attempt.current = null;
      showSnackbar(messageOf(failure, decisionCopy.appealFailed));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: hidingQuery(memberSid, text).queryKey }),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problemOf(said, true) !== null || !isOnline || appeal.isPending) return;
    if (attempt.current?.words !== said) attempt.current = { words: said, reqSid: newRequestId() };
    appeal.mutate(attempt.current.reqSid);
  };

  return (
    <Sheet open={open} title={decisionCopy.appealTitle} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextArea label={decisionCopy.appealText} value={words} onChange={setWords} longest={LONGEST} error={problem} helper={decisionCopy.appealHelp} />
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {!isOnline && state.offlineBlocked}
        </p>
        <Button type="submit" size="large" block busy={appeal.isPending} disabled={!isOnline} describedBy={`${id}-problem`}>
          {decisionCopy.appeal}
        </Button>
      </form>
    </Sheet>
  );
}

function problemOf(said: string, isChecked: boolean): string | null {
  if ([...said].length > LONGEST) return decisionCopy.appealTooLong;
  return isChecked && said === '' ? decisionCopy.appealEmpty : null;
}
