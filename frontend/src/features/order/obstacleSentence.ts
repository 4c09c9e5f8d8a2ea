import { type Currency, money } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { obstacleCopy, orderCopy } from './copy';
import type { OrderObstacle } from './orderCheck';

interface Wording {
  currency: Currency;
  unit: string;
}

/** What to do about an obstacle, as the sentence beside its field. */
export function obstacleSentence(obstacle: OrderObstacle, { currency, unit }: Wording): string {
  switch (obstacle.kind) {
    case 'no-price':
    case 'no-qty':
      return obstacleCopy[obstacle.kind];
    case 'off-tick':
      return obstacleCopy.offTick(money(obstacle.tick, currency));
    case 'over-limit':
      return obstacleCopy.overLimit(price(obstacle.upper, currency));
    case 'under-limit':
      return obstacleCopy.underLimit(price(obstacle.lower, currency));
    case 'off-step':
      return obstacleCopy.offStep(quantity(obstacle.step) + unit);
    case 'over-cash':
      return obstacle.maxQty > 0 ? obstacleCopy.maxBuy(quantity(obstacle.maxQty) + unit) : orderCopy.lessThanOne(100, unit);
    case 'over-holding':
      return obstacleCopy.overHolding;
    case 'under-minimum':
      return obstacleCopy.underMinimum(won(obstacle.minimumWon));
  }
}
