import type { OrderTerms } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { MinusIcon, PlusIcon } from '@/shared/ui/laterIcons';
import { orderCopy } from '@/features/order/copy';
import { stepPrice, withinLimits } from '@/features/order/rules/ticks';
import styles from './OrderSheet.module.css';

interface PriceStepperProps {
  price: number;
  terms: OrderTerms;
  onStep: (price: number) => void;
}

/** Moves the price one tick up or down, within the day's limits. */
export function PriceStepper({ price, terms, onStep }: PriceStepperProps) {
  const step = (direction: 'up' | 'down') => {
    haptic('selection');
    onStep(withinLimits(stepPrice(price, direction, terms.tickTable), terms.limits));
  };
  return (
    <span className={styles.stepper}>
      <button type="button" className={styles.step} aria-label={orderCopy.priceDown} onClick={() => step('down')}>
        <MinusIcon size={20} />
      </button>
      <button type="button" className={styles.step} aria-label={orderCopy.priceUp} onClick={() => step('up')}>
        <PlusIcon size={20} />
      </button>
    </span>
  );
}
