import { type Currency, money } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { issueCopy, orderCopy } from '@/features/order/copy';
import type { HoldMargin } from '@/features/order/rules/holdMargin';
import type { OrderIssue } from '@/features/order/rules/orderCheck';

interface Wording {
  currency: Currency;
  unit: string;
  /** What the hold of a buy includes beyond its price. */
  margin: HoldMargin | null;
}

/** The message shown next to the field of an issue. */
export function issueSentence(issue: OrderIssue, { currency, unit, margin }: Wording): string {
  switch (issue.kind) {
    case 'no-price':
    case 'no-qty':
      return issueCopy[issue.kind];
    case 'off-tick':
      return issueCopy.offTick(money(issue.tick, currency));
    case 'over-limit':
      return issueCopy.overLimit(price(issue.upper, currency));
    case 'under-limit':
      return issueCopy.underLimit(price(issue.lower, currency));
    case 'off-step':
      return issueCopy.offStep(quantity(issue.step) + unit);
    case 'over-cash':
      if (issue.maxQty <= 0) return orderCopy.lessThanOne(100, unit);
      return issueCopy.maxBuy(quantity(issue.maxQty) + unit, margin);
    case 'over-amount':
      return issueCopy.overCash(won(issue.shortWon));
    case 'over-holding':
      return issueCopy.overHolding;
    case 'under-minimum':
      return issueCopy.underMinimum(won(issue.minimumWon));
  }
}
