import { useQuery } from '@tanstack/react-query';
import { dollars } from '@/shared/format/money';
import { toHundredths } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Facts } from '@/shared/ui/Facts';
import styles from './Cards.module.css';
import { gold } from './copy';
import { commodityPriceQuery } from './marketQueries';

/** Domestic gold compared with international gold at today's exchange rate; no section without data. */
export function GoldComparison({ code }: { code: string }) {
  const { data } = useQuery(commodityPriceQuery(code));
  if (!data?.premium) return null;
  const { rate, domesticPrc, worldPrc, worldUsdPerOz, fxRate } = data.premium;
  const facts: [label: string, value: string][] = [
    [gold.domesticPrice, won(Math.round(domesticPrc))],
    [gold.worldPrice, won(Math.round(worldPrc))],
    [gold.ounce, dollars(toHundredths(worldUsdPerOz))],
    [gold.wonPerDollar, won(toHundredths(fxRate))],
    [gold.premium, signedPct(rate)],
  ];
  return (
    <section className={styles.section} aria-label={gold.comparison}>
      <h2 className={styles.heading}>{gold.comparison}</h2>
      <Facts facts={facts} />
      <p className={styles.hint}>{gold.premiumNote}</p>
    </section>
  );
}
