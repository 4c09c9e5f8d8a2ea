import type { OrderTerms } from '@/shared/api/types';
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
  onPick: (price: number) => void;
}

/** Common limit prices: the live price, and one, three and five percent better for the member. */
export function PriceChips({ side, livePrice, limitPrice, terms, onPick }: PriceChipsProps) {
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
