import type { ReactNode } from 'react';
import type { CapitalFlows, ProfitPage, ProfitSummary } from '@/shared/api/types';
import { gainPct } from '@/shared/format/pct';
import { isMissing } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { unsignedMoney } from '@/shared/format/change';
import { Amount } from '@/shared/ui/Amount';
import { ToneText } from '@/shared/ui/ToneText';
import { profitCopy } from './copy';
import styles from './Profit.module.css';

/** What was realized this month, whatever the filter is. */
export function ThisMonth({ value }: { value: number }) {
  return (
    <section className={styles.hero} aria-label={profitCopy.thisMonth}>
      <h2 className={styles.label}>{profitCopy.thisMonth}</h2>
      <p className={styles.figure}>
        <Gain value={value} />
      </p>
    </section>
  );
}

/** The total of a span; opened, what it adds up from, and what was put in besides. Above the list, which may have many pages. */
export function ProfitSums({ page: { summary, flows }, period }: { page: ProfitPage; period: string }) {
  return (
    <details className={styles.sums}>
      <summary>
        <span className={styles.sumName}>{profitCopy.totals(period)}</span>
        <span className={styles.sum}>
          <Gain value={summary.total} />
          <span className={styles.rate}>
            <Rate rate={summary.rate} />
          </span>
        </span>
      </summary>
      <ProfitTotals summary={summary} period={period} />
      <p className={styles.note}>
        {profitCopy.totalsNote} {profitCopy.rateNote}
      </p>
      <Flows flows={flows} />
    </details>
  );
}

function ProfitTotals({ summary, period }: { summary: ProfitSummary; period: string }) {
  const { realized, unrealized, income, fee, tax, fx, total } = summary;
  const costs = [
    [profitCopy.fee, fee],
    [profitCopy.tax, tax],
    [profitCopy.fx, fx],
  ] as const;
  return (
    <table className={styles.totals}>
      <caption className="sr-only">{profitCopy.totals(period)}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{profitCopy.item}</th>
          <th scope="col">{profitCopy.amount}</th>
        </tr>
      </thead>
      <tbody>
        <Line name={profitCopy.realized} value={<Gain value={realized} />} />
        <Line name={profitCopy.unrealized} value={<Gain value={unrealized} />} />
        {income !== 0 && <Line name={profitCopy.income} value={<Gain value={income} />} />}
        {costs.map(([name, cost]) => cost !== 0 && <Line key={name} name={name} value={<Amount>{won(-cost)}</Amount>} />)}
      </tbody>
      <tfoot>
        <Line name={profitCopy.total} value={<Gain value={total} />} />
      </tfoot>
    </table>
  );
}

/** What moved the base in a span, which is no profit. */
function Flows({ flows }: { flows: CapitalFlows }) {
  const lines = [
    [profitCopy.initial, flows.depositInit],
    [profitCopy.points, flows.educationPoint],
    [profitCopy.bought, flows.buyDeposit],
    [profitCopy.items, flows.items],
  ] as const;
  const moved = lines.filter(([, amount]) => amount !== 0);
  if (moved.length === 0) return null;
  return (
    <div className={styles.flows}>
      <h2>{profitCopy.flows}</h2>
      <p>{profitCopy.flowsNote}</p>
      <table className={styles.totals} aria-label={profitCopy.flows}>
        <tbody>
          {moved.map(([name, amount]) => (
            <Line key={name} name={name} value={<Amount>{`${amount > 0 ? '+' : ''}${won(amount)}`}</Amount>} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A gain or loss in won, in the colour and with the arrow of its direction. */
export function Gain({ value }: { value: number }) {
  return (
    <ToneText value={value}>
      <Amount>{unsignedMoney(value, 'KRW')}</Amount>
    </ToneText>
  );
}

/** How large a gain is against what had been paid. */
export function Rate({ rate }: { rate: number | null | undefined }) {
  return isMissing(rate) ? null : <ToneText value={rate}>{gainPct(rate)}</ToneText>;
}

function Line({ name, value }: { name: string; value: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  );
}
