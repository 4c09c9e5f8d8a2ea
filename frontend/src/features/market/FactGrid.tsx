import type { Item } from '@/shared/api/types';
import { bigCount } from '@/shared/format/bigWon';
import { isMissing, toHundredths } from '@/shared/format/number';
import { price as priceText } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { type Fact, Facts } from '@/shared/ui/Facts';
import styles from './Cards.module.css';
import { detail } from './copy';

/** The day's figures of an instrument. */
export function FactGrid({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  const price = (value: number) => priceText(value, item.currency);
  const facts: Fact[] = [
    [detail.open, price(quote.open)],
    [item.marketCode === 'COIN' ? detail.previousPrice : detail.previousClose, price(quote.previousClose)],
    [detail.high, price(quote.high)],
    [detail.low, price(quote.low)],
  ];
  if (!isMissing(item.upperLimit)) facts.push([detail.upperLimit, price(item.upperLimit)]);
  if (!isMissing(item.lowerLimit)) facts.push([detail.lowerLimit, price(item.lowerLimit)]);
  facts.push([detail.volume, detail.unit(bigCount(quote.volume), item.unit)]);
  if (!isMissing(quote.fxRate)) facts.push([detail.middleRate, <MiddleRate rate={quote.fxRate} isTraded={item.tradable} />]);
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{detail.facts}</h2>
      <Facts facts={facts} isPaired />
    </section>
  );
}

/** The middle rate, without the spread of an order. */
function MiddleRate({ rate, isTraded }: { rate: number; isTraded: boolean }) {
  return (
    <>
      {won(toHundredths(rate))}
      {isTraded && <span className="sr-only">{detail.middleRateHint}</span>}
    </>
  );
}
