import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import { newRequestId } from '@/shared/api/requestId';
import { state } from '@/shared/copy/copy.shared';
import { unitless } from '@/shared/format/number';
import { Button } from '@/shared/ui/Button';
import { useIsOnline } from '@/shared/ui/States';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { afterStudy } from '@/features/learn/afterStudy';
import { repairStreak } from '@/features/learn/learnApi';
import type { Streak } from '@/features/learn/learnTypes';
import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';

/** Restores a streak that yesterday broke, for points. One key per offer: a repetition is never charged twice. */
export function RepairCard({ memberSid, repair }: { memberSid: number; repair: NonNullable<Streak['repair']> }) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const [reqSid] = useState(newRequestId);
  const mutation = useMutation({
    mutationFn: () => repairStreak(memberSid, reqSid),
    onSuccess: () => showSnackbar(learnHomeCopy.repaired),
    onError: (error) => showSnackbar(isProblem(error, 'INSUFFICIENT_POINTS') ? learnHomeCopy.repairPoor : learnHomeCopy.repairFailed),
    onSettled: () => afterStudy(queryClient, memberSid),
  });
  return (
    <section className={styles.repair} aria-label={learnHomeCopy.repairTitle(repair.streak)}>
      <div>
        <p className={styles.repairTitle}>{learnHomeCopy.repairTitle(repair.streak)}</p>
        <p className={styles.todayLead}>{isOnline ? learnHomeCopy.repairBody(unitless(repair.points)) : state.offlineBlocked}</p>
      </div>
      <Button tone="neutral" busy={mutation.isPending} disabled={!isOnline} onClick={() => mutation.mutate()}>
        {learnHomeCopy.repair}
      </Button>
    </section>
  );
}
