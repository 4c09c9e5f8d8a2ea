import type { OrderTerms } from '@/shared/api/types';
import type { Currency } from '@/shared/format/money';
import { price as priceText } from '@/shared/format/price';
import { haptic } from '@/shared/platform/haptics';
import { orderCopy } from '@/features/order/copy';
import { changedByPercent } from '@/features/order/rules/decimal';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { ceilToTick, floorToTick, withinLimits } from '@/features/order/rules/ticks';
import styles from './OrderSheet.module.css';

const PERCENTS = [0, 1, 3, 5] as const;

interface PriceChipsProps {
  side: OrderSide;
  livePrice: number;
  limitPrice: number | null;
  terms: OrderTerms;
  /** The valid prices next to one that is between two ticks, offered instead. */
  nearest: readonly number[] | null;
  currency: Currency;
  onPick: (price: number) => void;
}

/** Common limit prices: the live price, and one, three and five percent better for the member. A price between two ticks gets its neighbours. */
export function PriceChips({ side, livePrice, limitPrice, terms, nearest, currency, onPick }: PriceChipsProps) {
  if (nearest !== null && nearest.length > 0) {
    return (
      <div role="group" aria-label={orderCopy.nearestPrices} className={styles.nearestPrices}>
        {nearest.map((price) => (
          <button
            key={price}
            type="button"
            className={styles.priceChip}
            onClick={() => {
              haptic('selection');
              onPick(price);
            }}
          >
            {priceText(price, currency)}
          </button>
        ))}
      </div>
    );
  }
  return (
    <div role="group" aria-label={orderCopy.quickPrices} className={styles.priceChips}>
      {PERCENTS.map((percent) => {
        const price = quickPrice(side, livePrice, percent, terms);
        return (
          <button
            key={percent}
            type="button"
            aria-pressed={price === limitPrice}
            className={styles.priceChip}
            onClick={() => {
              haptic('selection');
              onPick(price);
            }}
          >
            {percent === 0 ? orderCopy.currentPrice : orderCopy.percentAway(side, percent)}
          </button>
        );
      })}
    </div>
  );
}

/** Rounds a buy down and a sale up to a tick, so that the price is never worse than the chip says. */
export function quickPrice(side: OrderSide, livePrice: number, percent: number, terms: OrderTerms): number {
  const exact = changedByPercent(livePrice, side === 'buy' ? -percent : percent);
  const price = side === 'buy' ? floorToTick(exact, terms.tickTable) : ceilToTick(exact, terms.tickTable);
  return withinLimits(price, terms.limits);
}
