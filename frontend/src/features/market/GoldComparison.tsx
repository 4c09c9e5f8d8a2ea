import { useQuery } from '@tanstack/react-query';
import { dollars } from '@/shared/format/money';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import styles from './Cards.module.css';
import { gold } from './copy';
import { commodityPriceQuery } from './marketQueries';

/** What gold here costs against gold in the world at today's exchange rate. There is no section when that is not told. */
export function GoldComparison({ code }: { code: string }) {
  const { data } = useQuery(commodityPriceQuery(code));
  if (!data?.premium) return null;
  const { rate, domesticPrc, worldPrc, worldUsdPerOz, fxRate } = data.premium;
  const facts: [label: string, value: string][] = [
    [gold.domesticPrice, won(Math.round(domesticPrc))],
    [gold.worldPrice, won(Math.round(worldPrc))],
    [gold.ounce, dollars(hundredths(worldUsdPerOz))],
    [gold.wonPerDollar, won(hundredths(fxRate))],
    [gold.premium, signedPct(rate)],
  ];
  return (
    <section className={styles.section} aria-label={gold.comparison}>
      <h2 className={styles.heading}>{gold.comparison}</h2>
      <dl className={styles.pairs}>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
      <p className={styles.hint}>{gold.premiumNote}</p>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
