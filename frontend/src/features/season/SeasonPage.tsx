import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ResetBody, ResetReply, Seasons } from '@/shared/api/types';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { won } from '@/shared/format/won';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { Button } from '@/shared/ui/Button';
import { Dialog } from '@/shared/ui/Dialog';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { ErrorState } from '@/shared/ui/States';
import { seasonCopy } from './copy';
import { PastSeasons } from './PastSeasons';
import { postReset, seasonsQuery } from './seasonApi';
import styles from './Season.module.css';

interface SeasonPageProps {
  memberSid: number;
  /** Where tickets are for sale. */
  shop: ReactNode;
  hrefOf: (season: number) => string;
}

/** What a reset does, the reset itself, and the seasons before. */
export function SeasonPage({ memberSid, shop, hrefOf }: SeasonPageProps) {
  const seasons = useQuery(seasonsQuery(memberSid));
  if (seasons.isPending && seasons.fetchStatus !== 'paused') return <PageSkeleton />;
  if (!seasons.data) return <ErrorState error={seasons.error} onRetry={() => void seasons.refetch()} />;
  return (
    <>
      <section className={styles.intro} aria-labelledby="season">
        <p className={styles.now}>{seasonCopy.now(seasons.data.season)}</p>
        <h2 id="season" className={styles.title}>
          {seasonCopy.fresh(won(seasons.data.deposit))}
        </h2>
        <ul className={styles.facts}>
          {seasonCopy.facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <Reset memberSid={memberSid} seasons={seasons.data} shop={shop} />
      </section>
      {seasons.data.past.length > 0 && <PastSeasons past={seasons.data.past} hrefOf={hrefOf} />}
    </>
  );
}

type Step = 'question' | 'last' | null;

/** The button, and the two questions before anything ends. */
function Reset({ memberSid, seasons, shop }: { memberSid: number; seasons: Seasons; shop: ReactNode }) {
  const [step, setStep] = useState<Step>(null);
  const attempt = useMoneyAttempt<Omit<ResetBody, 'reqSid'> & { memberSid: number }, ResetReply>({
    memberSid,
    purpose: 'reset',
    send: postReset,
    doneText: (reply) => reply.message,
    onOutcome: (outcome) => {
      setStep(null);
      if (outcome.kind === 'done') showSnackbar(outcome.reply.message);
    },
  });
  const { isInterrupted } = attempt;
  const { season, deposit, nextAt, tickets } = seasons;
  const next = parseServerTime(nextAt);
  const useTicket = next !== null;
  return (
    <>
      {next && (
        <p className={styles.note}>
          {seasonCopy.everyWeek} {seasonCopy.tooSoon(kstDateTime(next))}
        </p>
      )}
      {next && tickets > 0 && <p className={styles.note}>{seasonCopy.tickets(tickets)}</p>}
      <div className={styles.action}>
        {next && tickets === 0 ? (
          shop
        ) : (
          <Button tone="danger" size="large" block onClick={() => setStep('question')}>
            {next ? seasonCopy.withTicket : seasonCopy.start}
          </Button>
        )}
      </div>
      <Dialog
        open={step === 'question' && !isInterrupted}
        title={seasonCopy.question}
        body={seasonCopy.warning}
        onClose={() => setStep(null)}
        confirm={{ label: seasonCopy.confirm, tone: 'danger', onClick: () => setStep('last') }}
      />
      <ConfirmMoney
        open={step === 'last' && !isInterrupted}
        title={seasonCopy.last}
        note={seasonCopy.ending}
        facts={[
          [seasonCopy.next, seasonCopy.name(season + 1)],
          [seasonCopy.receives, won(deposit)],
          ...(useTicket ? [[seasonCopy.ticketUsed, seasonCopy.oneTicket] as const] : []),
        ]}
        word={seasonCopy.confirm}
        tone="danger"
        isSending={attempt.isSending}
        onConfirm={() => attempt.submit({ memberSid, useTicket, season })}
        onClose={() => setStep(null)}
      />
      <MoneyFailure attempt={attempt} title={seasonCopy.failed} onDismissed={() => setStep(null)} />
    </>
  );
}

function PageSkeleton() {
  return (
    <>
      <div className={styles.intro} aria-hidden="true">
        <Bone width={90} height={20} />
        <Bone width="80%" height={28} />
      </div>
      <RowsSkeleton rows={3} />
    </>
  );
}
