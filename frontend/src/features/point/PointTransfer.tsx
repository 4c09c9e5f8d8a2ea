import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '@/shared/api/apiProblem';
import type { PointMoveBody, PointMoveReply, Points } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { LEVEL_NAMES } from '@/shared/format/level';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { type AmountChip, AmountPad } from '@/shared/money/AmountPad';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { moneyCopy } from '@/shared/money/copy.money';
import { MoneyDone } from '@/shared/money/MoneyDone';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { Amount } from '@/shared/ui/Amount';
import { EMPTY_ENTRY, entryValue } from '@/shared/ui/amountEntry';
import { Bone } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { TopBar } from '@/shared/ui/TopBar';
import { pointCopy } from './copy';
import { WON_PER_POINT, wonFor } from './exchange';
import styles from './Points.module.css';
import { movePoints, pointsQuery } from './pointApi';

interface PointTransferProps {
  memberSid: number;
  backTo: string;
  /** Where to earn points, for who has none. */
  earn: ReactNode;
  /** Controls of the top bar, such as the link to the history. */
  actions: ReactNode;
  onClose: () => void;
  onSeeHistory: () => void;
}

const CHIPS: readonly AmountChip[] = [10, 50, 100].map((step) => ({
  label: moneyCopy.add(pointCopy.points(String(step))),
  amount: (now) => now + step,
}));

/** Turns education points into cash of the basic account. */
export function PointTransfer({ memberSid, backTo, earn, actions, onClose, onSeeHistory }: PointTransferProps) {
  const points = useQuery(pointsQuery(memberSid));
  const attempt = useMoneyAttempt<Omit<PointMoveBody, 'reqSid'>, PointMoveReply>({
    memberSid,
    purpose: 'points',
    send: (body) => movePoints(memberSid, body),
    doneText: (reply) => pointCopy.done(won(reply.won)),
  });
  const outcome = attempt.outcome;
  if (outcome?.kind === 'done') return <PointsMoved reply={outcome.reply} onClose={onClose} onSeeHistory={onSeeHistory} />;

  return (
    <>
      <TopBar title={pointCopy.screen} backTo={backTo} actions={actions} />
      <main id="main" className={styles.screen}>
        {!points.data && (points.isError || points.fetchStatus === 'paused') && (
          <ErrorState error={points.error} onRetry={() => void points.refetch()} />
        )}
        {points.isPending && points.fetchStatus !== 'paused' && <PointSkeleton />}
        {points.data && (
          <>
            <Balance points={points.data} />
            {points.data.educationPoint === 0 && attempt.outcome === null ? (
              <EmptyState title={pointCopy.empty} action={earn} />
            ) : (
              <PointPad
                points={points.data}
                isSending={attempt.isSending}
                isInterrupted={attempt.isInterrupted}
                onConfirm={(transPoint) => attempt.submit({ transPoint })}
              />
            )}
          </>
        )}
      </main>
      <MoneyFailure attempt={attempt} title={pointCopy.failedTitle} sentence={failureOf} />
    </>
  );
}

function Balance({ points: { educationPoint, today } }: { points: Points }) {
  return (
    <section className={styles.balance} aria-label={pointCopy.balance}>
      <p className={styles.label}>{pointCopy.balance}</p>
      <p className={styles.figure}>{pointCopy.points(unitless(educationPoint))}</p>
      <p className={styles.today}>{pointCopy.today(pointCopy.points(unitless(today.earned)), pointCopy.points(unitless(today.cap)))}</p>
    </section>
  );
}

interface PointPadProps {
  points: Points;
  isSending: boolean;
  /** A failure dialog is open. */
  isInterrupted: boolean;
  onConfirm: (points: number) => void;
}

function PointPad({ points: { educationPoint, multiplier, level }, isSending, isInterrupted, onConfirm }: PointPadProps) {
  const [entry, setEntry] = useState(EMPTY_ENTRY);
  const [isConfirming, setConfirming] = useState(false);
  const amount = entryValue(entry) ?? 0;
  const gained = wonFor(amount, multiplier);
  const plain = amount * WON_PER_POINT;
  const problem = amount > educationPoint ? pointCopy.tooMuch : null;
  if (isInterrupted && isConfirming) setConfirming(false);
  return (
    <>
      <AmountPad
        label={pointCopy.amount}
        placeholder={pointCopy.placeholder}
        unit={pointCopy.unit}
        entry={entry}
        onChange={setEntry}
        chips={[...CHIPS, { label: moneyCopy.all, amount: () => educationPoint }]}
        problem={problem}
        helper={pointCopy.most(pointCopy.points(unitless(educationPoint)))}
        word={pointCopy.next}
        isActive={!isConfirming && !isInterrupted}
        onNext={() => setConfirming(true)}
      >
        <div className={styles.preview}>
          <p className={styles.gain}>{amount > 0 && problem === null ? pointCopy.preview(won(gained)) : pointCopy.rate(won(wonFor(1, multiplier)))}</p>
          <p className={styles.benefit}>{pointCopy.benefit(LEVEL_NAMES[level - 1] ?? '', String(multiplier))}</p>
        </div>
      </AmountPad>
      <ConfirmMoney
        open={isConfirming}
        title={pointCopy.question(pointCopy.points(unitless(amount)))}
        note={pointCopy.irreversible}
        facts={[
          [pointCopy.facts.points, pointCopy.points(unitless(amount))],
          [pointCopy.facts.base, won(plain)],
          [pointCopy.facts.benefit, pointCopy.times(String(multiplier))],
        ]}
        sum={[pointCopy.facts.sum, won(gained)]}
        word={pointCopy.next}
        isSending={isSending}
        isBlocked={problem !== null}
        onConfirm={() => onConfirm(amount)}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}

function PointsMoved({ reply, onClose, onSeeHistory }: { reply: PointMoveReply; onClose: () => void; onSeeHistory: () => void }) {
  const { doneFacts } = pointCopy;
  return (
    <MoneyDone
      title={pointCopy.done(won(reply.won))}
      figure={<RollingNumber>{`+${won(reply.won)}`}</RollingNumber>}
      facts={[
        [doneFacts.points, pointCopy.points(unitless(reply.transPoint))],
        [doneFacts.times, pointCopy.benefit(LEVEL_NAMES[reply.level - 1] ?? '', String(reply.multiplier))],
        [doneFacts.left, pointCopy.points(unitless(reply.educationPoint))],
        [doneFacts.deposit, <Amount>{won(reply.deposit)}</Amount>],
      ]}
      more={{ label: pointCopy.seeHistory, onClick: onSeeHistory }}
      onClose={onClose}
    />
  );
}

/** The given sentence with the given detail, by the server or by us; for other reasons with the server's words. */
function failureOf({ reason, message }: ApiProblem): string {
  const known: Readonly<Record<string, string>> = pointCopy.reasons;
  if (message.startsWith(pointCopy.failed(''))) return message;
  return pointCopy.failed(known[reason] ?? (message || state.errorBody));
}

function PointSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width={80} height={18} />
        <Bone width={160} height={38} />
        <Bone width="60%" height={24} />
        <Bone width="80%" height={40} />
      </div>
    </div>
  );
}
