import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Equity as EquityHistory } from '@/shared/api/types';
import { gainPct, pct, signedPct, unsignedPct } from '@/shared/format/pct';
import { SectionError } from '@/shared/ui/Section';
import { ToneText } from '@/shared/ui/ToneText';
import { equityCopy } from './copy';
import { EquityChart } from './EquityChart';
import { type EquityPeriod, equityQuery } from './equityQuery';
import { EquitySkeleton } from './EquitySkeleton';
import { wonOfIndex } from './geometry';
import styles from './Equity.module.css';

interface EquityProps {
  memberSid: number;
  period: EquityPeriod;
  season: number | null;
  /** False while it is not known whether the chart is shown at all; its place is kept. */
  isReady?: boolean;
}

/** What all accounts were worth day by day, what that returned, and what the market and a deposit did meanwhile. */
export function Equity({ memberSid, period, season, isReady = true }: EquityProps) {
  const query = useQuery({ ...equityQuery(memberSid, period, season), enabled: isReady });
  return (
    <section className={styles.section} aria-label={equityCopy.title}>
      <h2 className={styles.title}>{equityCopy.title}</h2>
      {query.data && (
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? styles.before : undefined}>
          <Days history={query.data} isPast={season !== null} />
        </div>
      )}
      {!query.data && query.isError && (
        <div className={styles.failed}>
          <SectionError title={equityCopy.error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {!query.data && !query.isError && <EquitySkeleton />}
    </section>
  );
}

function Days({ history, isPast }: { history: EquityHistory; isPast: boolean }) {
  const [drawn, setDrawn] = useState<string | null>(null);
  const { points, benchmarks, returnRt, drawdownRt, deposit } = history;
  if (points.length < 2) return <p className={styles.empty}>{isPast ? equityCopy.emptyPast : equityCopy.empty}</p>;
  const benchmark = benchmarks.find(({ code }) => code === drawn);
  return (
    <>
      <EquityChart points={points} returnRt={returnRt} endsNow={!isPast} index={benchmark && wonOfIndex(benchmark, points)} />
      <ul className={styles.rates} aria-label={equityCopy.compared}>
        <Rate name={equityCopy.mine} value={<ToneText value={returnRt}>{gainPct(returnRt)}</ToneText>} />
        {benchmarks.map(({ code, name, returnRt }) => (
          <li key={code}>
            <button type="button" className={styles.choice} aria-pressed={code === drawn} onClick={() => setDrawn(code === drawn ? null : code)}>
              <span>{name}</span> <span>{signedPct(returnRt)}</span>
            </button>
          </li>
        ))}
        {deposit && <Rate name={equityCopy.deposit(pct(deposit.rate))} value={signedPct(deposit.returnRt)} />}
        <Rate name={equityCopy.drawdown} value={unsignedPct(drawdownRt)} />
      </ul>
      <p className={styles.note}>
        {equityCopy.note} {benchmarks.length > 0 && equityCopy.lineHint}
      </p>
    </>
  );
}

function Rate({ name, value }: { name: string; value: ReactNode }) {
  return (
    <li className={styles.rate}>
      <span>{name}</span> <span>{value}</span>
    </li>
  );
}
