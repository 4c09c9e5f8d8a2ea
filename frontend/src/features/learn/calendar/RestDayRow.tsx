import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { ChevronIcon } from '@/shared/ui/icons';
import { Sheet } from '@/shared/ui/Sheet';
import { useIsOnline } from '@/shared/ui/States';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { afterStudy } from '@/features/learn/afterStudy';
import { chooseRestDay } from '@/features/learn/learnApi';
import type { Streak } from '@/features/learn/learnTypes';
import styles from './Calendar.module.css';
import { calendarCopy } from './copy';

/** The weekday on which nothing needs to be learned. */
export function RestDayRow({ memberSid, streak }: { memberSid: number; streak: Streak }) {
  const [isOpen, setOpen] = useState(false);
  const { restWeekday, nextRestWeekday, nextRestFrom } = streak;
  return (
    <>
      <button type="button" className={styles.rest} onClick={() => setOpen(true)}>
        <span className={styles.restName}>{calendarCopy.rest}</span>
        <span className={styles.restValue}>
          {restName(restWeekday)}
          {nextRestFrom !== null && <span className={styles.restNext}>{calendarCopy.restNext(dayName(nextRestFrom), restName(nextRestWeekday))}</span>}
        </span>
        <ChevronIcon size={18} />
      </button>
      <RestSheet key={String(isOpen)} open={isOpen} memberSid={memberSid} initial={nextRestFrom === null ? restWeekday : nextRestWeekday} onClose={() => setOpen(false)} />
    </>
  );
}

interface RestSheetProps {
  open: boolean;
  memberSid: number;
  initial: number | null;
  onClose: () => void;
}

function RestSheet({ open, memberSid, initial, onClose }: RestSheetProps) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const [weekday, setWeekday] = useState(initial);
  const save = useMutation({
    mutationFn: () => chooseRestDay(memberSid, weekday),
    onSuccess: () => {
      showSnackbar(calendarCopy.restSaved);
      onClose();
    },
    onError: () => showSnackbar(calendarCopy.restFailed),
    onSettled: () => afterStudy(queryClient, memberSid),
  });
  const choices: readonly (number | null)[] = [null, 1, 2, 3, 4, 5, 6, 7];
  return (
    <Sheet
      open={open}
      title={calendarCopy.restChoose}
      onClose={onClose}
      footer={
        <Button size="large" block busy={save.isPending} disabled={!isOnline || weekday === initial} onClick={() => save.mutate()}>
          {isOnline ? calendarCopy.restSave : state.offlineBlocked}
        </Button>
      }
    >
      <p className={styles.help}>{calendarCopy.restLead}</p>
      <div role="group" aria-label={calendarCopy.restChoose} className={styles.choices}>
        {choices.map((choice) => (
          <button
            key={choice ?? 0}
            type="button"
            className={styles.choice}
            aria-pressed={weekday === choice}
            onClick={() => {
              haptic('selection');
              setWeekday(choice);
            }}
          >
            {choice === null ? calendarCopy.restNone : calendarCopy.weekday(calendarCopy.weekdays[choice - 1] ?? '')}
          </button>
        ))}
      </div>
    </Sheet>
  );
}

function restName(weekday: number | null): string {
  return weekday === null ? calendarCopy.restNone : calendarCopy.restEvery(calendarCopy.weekdays[weekday - 1] ?? '');
}

function dayName(date: string): string {
  return calendarCopy.dayTitle(Number(date.slice(5, 7)), Number(date.slice(8, 10)));
}
