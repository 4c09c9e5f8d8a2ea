import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { problemFromThrown } from '@/shared/api/apiProblem';
import { state } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { TextArea } from '@/shared/ui/TextArea';
import styles from './Competition.module.css';
import { postObjection } from './competitionApi';
import { competitionKeys } from './competitionKeys';
import { objectionCopy as copy } from './copy';
import type { Competition, Objection } from './types';

const SHORTEST = 10;
const LONGEST = 500;

/** The member's objection to the results and what became of it, or the way to file one. */
export function Objections({ memberSid, event }: { memberSid: number; event: Competition }) {
  const [isOpen, setOpen] = useState(false);
  if (event.objection) return <Filed objection={event.objection} />;
  return (
    <>
      {event.canObject && (
        <Button tone="text" block onClick={() => setOpen(true)}>
          {copy.offer}
        </Button>
      )}
      <ObjectionSheet open={isOpen && event.canObject} memberSid={memberSid} sid={event.sid} onClose={() => setOpen(false)} />
    </>
  );
}

function Filed({ objection: { text, status, answer } }: { objection: Objection }) {
  const id = useId();
  return (
    <section className={styles.objection} aria-labelledby={id}>
      <h3 id={id} className={styles.label}>
        {copy.own}
      </h3>
      <p className={styles.quote}>{text}</p>
      <p className={styles.needs}>{copy.statuses[status]}</p>
      {answer && <p className={styles.note}>{answer}</p>}
    </section>
  );
}

interface ObjectionSheetProps {
  open: boolean;
  memberSid: number;
  sid: number;
  onClose: () => void;
}

function ObjectionSheet({ open, memberSid, sid, onClose }: ObjectionSheetProps) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const id = useId();
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => postObjection(memberSid, sid, text.trim()),
    onSuccess: () => showSnackbar(copy.sent),
    onError: (thrown) => showSnackbar(problemFromThrown(thrown).message || copy.failed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: competitionKeys.all(memberSid) }),
  });
  const length = [...text.trim()].length;
  const isValid = length >= SHORTEST && length <= LONGEST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isValid && isOnline && !isPending) mutate();
  };
  return (
    <Sheet open={open} title={copy.title} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p className={styles.note}>{copy.note}</p>
        <TextArea label={copy.text} value={text} onChange={setText} longest={LONGEST} helper={copy.helper} error={isChecked && !isValid ? copy.error : null} />
        <p id={`${id}-offline`} role="alert" className={styles.alert}>
          {!isOnline && state.offlineBlocked}
        </p>
        <Button type="submit" size="large" block busy={isPending} disabled={!isOnline} describedBy={`${id}-offline`}>
          {copy.send}
        </Button>
      </form>
    </Sheet>
  );
}
