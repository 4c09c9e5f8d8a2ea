import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Item } from '@/shared/api/types';
import { dollars } from '@/shared/format/money';
import { isMissing } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Section } from '@/shared/ui/Section';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { trendCopy } from './copy';
import { IndexCard } from './IndexCard';
import { RankedItems } from './RankedItems';
import styles from './Trend.module.css';
import { TrendSkeleton } from './TrendSkeleton';
import { goldTrendQuery } from './trendQueries';
import type { GoldTrend } from './trendTypes';

/** Gold at home and abroad, and the commodities of the world. */
export function GoldTrendPanel({ controlOf }: { controlOf?: (item: Item) => ReactNode }) {
  const { data, error, refetch } = useQuery(goldTrendQuery());
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TrendSkeleton />;
  if (isMissing(data.index.value) && data.items.length === 0) return <EmptyState title={trendCopy.empty} />;
  return (
    <>
      <IndexCard index={data.index} asOf={data.asOf} isWon />
      <Comparison gold={data.gold} />
      {data.items.length > 0 && (
        <Section title={trendCopy.goldItems}>
          <RankedItems items={data.items} {...(controlOf && { controlOf })} />
        </Section>
      )}
    </>
  );
}

function Comparison({ gold: { usdPerOz, fxRate, premiumRate } }: { gold: GoldTrend['gold'] }) {
  const facts: [label: string, value: string][] = [];
  if (!isMissing(usdPerOz)) facts.push([trendCopy.world, trendCopy.perOunce(dollars(Math.round(usdPerOz * 100) / 100))]);
  if (!isMissing(fxRate)) facts.push([trendCopy.exchangeRate, won(Math.round(fxRate * 100) / 100)]);
  if (!isMissing(premiumRate)) facts.push([trendCopy.premium, signedPct(premiumRate)]);
  if (facts.length === 0) return null;
  return (
    <Section title={trendCopy.goldFacts}>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!isMissing(premiumRate) && <p className={styles.note}>{trendCopy.premiumNote}</p>}
    </Section>
  );
}
