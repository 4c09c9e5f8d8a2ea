import type { Item } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { AmountDisplay } from '@/shared/ui/AmountDisplay';
import { orderCopy } from '@/features/order/copy';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { entryIn, type Measure, type OrderForm } from './orderForm';
import styles from './OrderSheet.module.css';

interface QtyFieldProps {
  form: OrderForm;
  item: Item;
  side: OrderSide;
  /** Whether the quantity may be entered as an amount in won. */
  canBeAmount: boolean;
  onActivate: () => void;
  onMeasure: (measure: Measure) => void;
  shakes: number;
  error: string | null;
  helper: string | null;
  errorId: string;
}

const MEASURES: readonly Measure[] = ['qty', 'amount'];

/** The quantity, or the amount that is converted into one. */
export function QtyField({ form, item, side, canBeAmount, onActivate, onMeasure, shakes, error, helper, errorId }: QtyFieldProps) {
  const isAmount = form.measure === 'amount';
  return (
    <AmountDisplay
      label={orderCopy[form.measure]}
      entry={entryIn(form, 'qty')}
      unit={isAmount ? orderCopy.won : item.unit}
      placeholder={isAmount ? orderCopy.amountPlaceholder(side) : orderCopy.qtyPlaceholder(item.unit, side)}
      isActive={form.field === 'qty'}
      onActivate={onActivate}
      shakes={shakes}
      error={error}
      helper={helper}
      errorId={errorId}
    >
      {canBeAmount && (
        <span role="group" aria-label={orderCopy.measures} className={styles.measures}>
          {MEASURES.map((measure) => (
            <button
              key={measure}
              type="button"
              aria-label={`${orderCopy.measures} ${orderCopy[measure]}`}
              aria-pressed={measure === form.measure}
              className={styles.measure}
              onClick={() => {
                haptic('selection');
                if (measure !== form.measure) onMeasure(measure);
              }}
            >
              {orderCopy[measure]}
            </button>
          ))}
        </span>
      )}
    </AmountDisplay>
  );
}
