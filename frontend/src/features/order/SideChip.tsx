import { type OrderSide, sideName } from '@/features/order/rules/orderSides';
import styles from './SideChip.module.css';

export function SideChip({ side }: { side: OrderSide }) {
  return <span className={`${styles.side} ${styles[side]}`}>{sideName(side)}</span>;
}
