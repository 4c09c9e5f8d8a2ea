import type { ReactNode } from 'react';
import { bigWon } from '@/shared/format/bigWon';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { Section } from '@/shared/ui/Section';
import { firstTradeCopy } from './copy';
import styles from './FirstTrade.module.css';
import { PopularShort } from './PopularShort';

/** The progress of a new member: no order yet, or the first one waiting. */
type FirstTradeStage = 'choose' | 'waiting';

const SUGGESTED = 3;

/** Leads a member without trades to their first share. */
export function FirstTrade({ stage, availableWon, browse }: { stage: FirstTradeStage; availableWon: number; browse: ReactNode }) {
  const { choose, order, watch } = firstTradeCopy.steps;
  const isWaiting = stage === 'waiting';
  return (
    <Section title={firstTradeCopy.title}>
      <p className={styles.lead}>{firstTradeCopy.lead(bigWon(availableWon))}</p>
      <ol className={styles.steps}>
        <Step number={1} text={choose} state={isWaiting ? 'done' : 'current'}>
          {!isWaiting && (
            <div className={styles.suggestions}>
              <PopularShort shown={SUGGESTED} budgetWon={availableWon} />
              <div className={styles.action}>{browse}</div>
            </div>
          )}
        </Step>
        <Step number={2} text={isWaiting ? firstTradeCopy.waiting : order} state={isWaiting ? 'current' : 'next'}>
          {isWaiting && (
            <div className={styles.action}>
              <ButtonLink to={paths.waitingOrders} tone="neutral">
                {firstTradeCopy.seeWaiting}
              </ButtonLink>
            </div>
          )}
        </Step>
        <Step number={3} text={watch} state="next" />
      </ol>
    </Section>
  );
}

interface StepProps {
  number: number;
  text: { title: string; body: string };
  state: 'done' | 'current' | 'next';
  children?: ReactNode;
}

function Step({ number, text, state, children }: StepProps) {
  return (
    <li className={styles.step} aria-current={state === 'current' ? 'step' : undefined}>
      <div className={styles.head}>
        <span aria-hidden="true" className={`${styles.number} ${styles[state]}`}>
          {state === 'done' ? '✓' : number}
        </span>
        <div>
          <h3 className={styles.title}>
            {text.title}
            {state === 'done' && <span className="sr-only"> {firstTradeCopy.done}</span>}
          </h3>
          <p className={styles.body}>{text.body}</p>
        </div>
      </div>
      {children}
    </li>
  );
}
