import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { Spinner } from '@/shared/ui/Spinner';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { learnCopy } from '@/features/learn/copy';
import { LEVELS, type ThemeMeta } from '@/features/learn/learnTypes';
import { themeCopy } from './copy';
import { changeQuizFilter, type QuizChoice, quizFilterQuery } from './quizFilter';
import styles from './Theme.module.css';

export function FilterIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5v5m-7 5v5" />
    </svg>
  );
}

interface FilterSheetProps {
  open: boolean;
  memberSid: number;
  themes: readonly ThemeMeta[];
  onClose: () => void;
}

/** Chooses levels and themes of the random quiz. A stored set keeps its questions, so a change shows tomorrow. */
export function FilterSheet({ open, memberSid, themes, onClose }: FilterSheetProps) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const { data, error, refetch } = useQuery({ ...quizFilterQuery(memberSid), enabled: open });
  const [changed, setChanged] = useState<QuizChoice | null>(null);
  const choice = changed ?? data ?? null;
  const save = useMutation({
    mutationFn: (next: QuizChoice) => changeQuizFilter(memberSid, next),
    onSuccess: (saved) => {
      queryClient.setQueryData(quizFilterQuery(memberSid).queryKey, saved);
      showSnackbar(themeCopy.saved);
      close();
    },
    onError: () => showSnackbar(themeCopy.saveFailed),
  });
  const close = () => {
    setChanged(null);
    onClose();
  };
  return (
    <Sheet
      open={open}
      title={themeCopy.filter}
      onClose={close}
      footer={
        <Button size="large" block busy={save.isPending} disabled={changed === null || !isOnline} onClick={() => changed && save.mutate(changed)}>
          {isOnline ? themeCopy.save : state.offlineBlocked}
        </Button>
      }
    >
      {choice === null && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Spinner />)}
      {choice && (
        <>
          <p className={styles.lead}>{themeCopy.filterLead}</p>
          <Choices
            title={themeCopy.levels}
            options={LEVELS.map((level) => ({ value: level, label: learnCopy.level[level] }))}
            chosen={choice.levels}
            onChange={(levels) => setChanged({ ...choice, levels })}
          />
          <Choices
            title={themeCopy.themes}
            options={themes.map(({ themeSid, name }) => ({ value: themeSid, label: name }))}
            chosen={choice.themes}
            onChange={(next) => setChanged({ ...choice, themes: next })}
          />
        </>
      )}
    </Sheet>
  );
}

interface ChoicesProps {
  title: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Choices({ title, options, chosen, onChange }: ChoicesProps) {
  return (
    <div className={styles.group} role="group" aria-label={title}>
      <h3 className={styles.groupTitle}>{title}</h3>
      <div className={styles.choices}>
        {options.map(({ value, label }) => {
          const isChosen = chosen.includes(value);
          return (
            <button
              key={value}
              type="button"
              className={styles.choice}
              aria-pressed={isChosen}
              onClick={() => {
                haptic('selection');
                onChange(isChosen ? chosen.filter((other) => other !== value) : [...chosen, value]);
              }}
            >
              {label}
            </button>
          );
        })}
      </div>
    </div>
  );
}
