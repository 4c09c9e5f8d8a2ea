import { type OrderSide, sideName } from '@/features/order/rules/orderSides';
import styles from './SideChip.module.css';

/** Whether an order buys or sells, in the word and the colour of its side. */
export function SideChip({ side }: { side: OrderSide }) {
  return <span className={`${styles.side} ${styles[side]}`}>{sideName(side)}</span>;
}
