import { useQuery } from '@tanstack/react-query';
import type { GoldTrend } from '@/shared/api/types';
import { dollars } from '@/shared/format/money';
import { toHundredths } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { itemHref } from '@/shared/paths';
import { Facts } from '@/shared/ui/Facts';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { Section } from '@/shared/ui/Section';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { trendCopy } from './copy';
import { IndexCard } from './IndexCard';
import styles from './Trend.module.css';
import { TrendSkeleton } from './TrendSkeleton';
import { goldTrendQuery } from './trendQueries';

/** Domestic and international gold, and commodities. */
export function GoldTrendPanel() {
  const { data, error, refetch } = useQuery(goldTrendQuery());
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TrendSkeleton />;
  if (!data.index && data.items.length === 0) return <EmptyState title={trendCopy.empty} />;
  return (
    <>
      {data.index && <IndexCard index={data.index} asOf={data.asOf} unit="wonPerGram" />}
      {data.gold && <Comparison gold={data.gold} />}
      {data.items.length > 0 && (
        <Section title={trendCopy.goldItems}>
          <ul>
            {data.items.map((item) => (
              <ListRow key={item.isuSrtCd}>
                <ItemRow item={item} to={itemHref(item)} />
              </ListRow>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Comparison({ gold: { usdPerOz, fxRate, premiumRate } }: { gold: NonNullable<GoldTrend['gold']> }) {
  const facts: [label: string, value: string][] = [
    [trendCopy.world, trendCopy.perOunce(dollars(toHundredths(usdPerOz)))],
    [trendCopy.exchangeRate, won(toHundredths(fxRate))],
    [trendCopy.premium, signedPct(premiumRate)],
  ];
  return (
    <Section title={trendCopy.goldFacts}>
      <div className={styles.facts}>
        <Facts facts={facts} />
      </div>
      <p className={styles.note}>{trendCopy.premiumNote}</p>
    </Section>
  );
}
