import type { OrderSide } from '@/features/order/rules/orderSides';
import { Button } from '@/shared/ui/Button';
import styles from './OrderSheet.module.css';

interface OrderCtaProps {
  side: OrderSide;
  word: string;
  /** What has changed without the member's doing; announced. */
  news: string | null;
  /** Why nothing can be ordered. */
  blocked: string | null;
  /** What the order will wait for. */
  note: string | null;
  isDisabled: boolean;
  /** The id of the message that is wrong with the entry. */
  errorId: string | undefined;
  id: string;
  onClick: () => void;
}

/** The button to the confirmation, below the notes about the order. */
export function OrderCta({ side, word, news, blocked, note, isDisabled, errorId, id, onClick }: OrderCtaProps) {
  return (
    <div className={styles.cta}>
      <p role="status" className={news === null ? undefined : styles.blocked}>
        {news}
      </p>
      {blocked && (
        <p id={id} className={styles.blocked}>
          {blocked}
        </p>
      )}
      {!blocked && note && <p className={styles.blocked}>{note}</p>}
      <Button tone={side} size="large" block disabled={blocked !== null || isDisabled} describedBy={blocked ? id : errorId} onClick={onClick}>
        {word}
      </Button>
    </div>
  );
}
