import { haptic } from '@/shared/platform/haptics';
import { orderCopy } from '@/features/order/copy';
import type { PriceKind } from '@/features/order/rules/orderSides';
import styles from './OrderSheet.module.css';

const KINDS: readonly PriceKind[] = ['market', 'limit'];

export function KindSwitch({ kind, onChange }: { kind: PriceKind; onChange: (kind: PriceKind) => void }) {
  return (
    <div role="group" aria-label={orderCopy.kinds} className={styles.kinds}>
      {KINDS.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === kind}
          className={styles.kind}
          onClick={() => {
            haptic('selection');
            if (value !== kind) onChange(value);
          }}
        >
          {orderCopy[value]}
        </button>
      ))}
    </div>
  );
}
