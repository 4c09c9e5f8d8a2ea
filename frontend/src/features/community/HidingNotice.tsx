import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { Button } from '@/shared/ui/Button';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import { AppealSheet } from './AppealSheet';
import styles from './Community.module.css';
import { postCopy } from './copy';
import { decisionCopy } from './copy.decisions';
import { moderationCopy } from './copy.moderation';
import { hidingQuery } from './decisionsQueries';
import type { Hiding, TextName } from './types';

interface HidingNoticeProps {
  memberSid: number;
  text: TextName;
}

/** Tells authors why a text of theirs is hidden, and takes their appeal. While that loads, only that it is. */
export function HidingNotice({ memberSid, text }: HidingNoticeProps) {
  const { data: hiding } = useQuery(hidingQuery(memberSid, text));
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  const title = hiding?.cause ? decisionCopy.causes[hiding.cause] : postCopy.hidden;
  return (
    <section className={styles.notice} aria-label={title}>
      <p>
        <strong>{title}</strong> {decisionCopy.onlyMine}
      </p>
      {hiding && <Reasons hiding={hiding} />}
      {hiding?.appeal && <AppealState appeal={hiding.appeal} />}
      {hiding?.mayAppeal && (
        <Button tone="text" onClick={() => setOpen(true)}>
          {decisionCopy.appeal}
        </Button>
      )}
      {wasOpened && <AppealSheet open={isOpen} memberSid={memberSid} text={text} onClose={() => setOpen(false)} />}
    </section>
  );
}

function Reasons({ hiding: { until, rule, reason } }: { hiding: Hiding }) {
  const ends = parseServerTime(until);
  return (
    <>
      {ends && <p>{decisionCopy.until(kstDate(ends))}</p>}
      {rule && <p>{decisionCopy.rule(moderationCopy.reasons[rule])}</p>}
      {reason && <p className={styles.noticeText}>{reason}</p>}
    </>
  );
}

function AppealState({ appeal }: { appeal: NonNullable<Hiding['appeal']> }) {
  return (
    <>
      <p>{appeal.decidedDate ? decisionCopy.appealDismissed : decisionCopy.appealWaiting}</p>
      <p className={styles.noticeText}>{decisionCopy.ownAppeal(appeal.text)}</p>
    </>
  );
}
