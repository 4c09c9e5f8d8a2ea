import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { problemFromThrown } from '@/shared/api/apiProblem';
import { parseServerTime } from '@/shared/format/kst';
import { Button } from '@/shared/ui/Button';
import { Dialog } from '@/shared/ui/Dialog';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import styles from './Competition.module.css';
import { closeLeague } from './competitionApi';
import { competitionKeys } from './competitionKeys';
import { inviteUrl } from './competitionPaths';
import { leagueCopy } from './copy';
import { copyText } from './shareResult';
import type { Competition } from './types';

interface InviteCardProps {
  memberSid: number;
  event: Competition;
  code: string;
  now: Date;
}

/** The invite code of a league, for its members; its host can stop taking others in. */
export function InviteCard({ memberSid, event, code, now }: InviteCardProps) {
  const id = useId();
  const until = parseServerTime(event.joinUntil);
  if (event.isJoiningClosed) return <p className={styles.aside}>{leagueCopy.closed}</p>;
  if (until !== null && until <= now) return null;
  const copy = async () => {
    showSnackbar((await copyText(inviteUrl(event.sid, code))) ? leagueCopy.inviteCopied : leagueCopy.copyFailed);
  };
  return (
    <section className={styles.invite} aria-labelledby={id}>
      <h2 id={id} className={styles.mineTitle}>
        {leagueCopy.invite}
      </h2>
      <p className={styles.code}>{code}</p>
      <p className={styles.note}>{leagueCopy.inviteNote}</p>
      <Button tone="neutral" size="large" block onClick={() => void copy()}>
        {leagueCopy.copyInvite}
      </Button>
      {event.isHost && <CloseLeague memberSid={memberSid} sid={event.sid} />}
    </section>
  );
}

function CloseLeague({ memberSid, sid }: { memberSid: number; sid: number }) {
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => closeLeague(memberSid, sid),
    onError: (thrown) => showSnackbar(problemFromThrown(thrown).message || leagueCopy.closeFailed),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: competitionKeys.all(memberSid) });
      setAsked(false);
    },
  });
  return (
    <>
      <Button tone="text" block onClick={() => setAsked(true)}>
        {leagueCopy.close}
      </Button>
      <Dialog
        open={isAsked}
        title={leagueCopy.closeQuestion}
        body={leagueCopy.closeWarning}
        onClose={() => setAsked(false)}
        confirm={{ label: leagueCopy.close, tone: 'danger', busy: isPending, onClick: () => mutate() }}
      />
    </>
  );
}
