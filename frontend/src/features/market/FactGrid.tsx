import type { Item } from '@/shared/api/types';
import { bigCount } from '@/shared/format/bigWon';
import { money } from '@/shared/format/money';
import { isMissing, toHundredths } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { Facts } from '@/shared/ui/Facts';
import styles from './Cards.module.css';
import { detail } from './copy';

/** The day's figures of an instrument. */
export function FactGrid({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  const price = (value: number) => money(value, item.currency);
  const facts: [label: string, value: string][] = [
    [detail.open, price(quote.open)],
    [item.marketCode === 'COIN' ? detail.previousPrice : detail.previousClose, price(quote.previousClose)],
    [detail.high, price(quote.high)],
    [detail.low, price(quote.low)],
    [detail.volume, detail.unit(bigCount(quote.volume), item.unit)],
  ];
  if (!isMissing(item.upperLimit)) facts.push([detail.upperLimit, price(item.upperLimit)]);
  if (!isMissing(item.lowerLimit)) facts.push([detail.lowerLimit, price(item.lowerLimit)]);
  if (!isMissing(quote.fxRate)) facts.push([detail.exchangeRate, won(toHundredths(quote.fxRate))]);
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{detail.facts}</h2>
      <Facts facts={facts} isPaired />
    </section>
  );
}
