import { useId } from 'react';
import { useReplaceOverlayLinks } from '@/shared/ui/overlayHistory';
import { cardCopy } from './copy';
import { TradeCardItem } from './TradeCardItem';
import styles from './TradeCards.module.css';
import { useNewTradeCards } from './useNewTradeCards';

/** What an order teaches, in its receipt. Nothing where the order is too old to have cards. */
export function ReceiptTradeCards({ memberSid, orderSid }: { memberSid: number; orderSid: number }) {
  const id = useId();
  const replaceEntry = useReplaceOverlayLinks();
  const cards = useNewTradeCards(memberSid, { orderSid });
  if (cards.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.inReceipt}>
      <h3 id={id} className={styles.heading}>
        {cardCopy.title}
      </h3>
      {/* Makes the links inside replace the overlay's history entry; it is no control itself. */}
      <div role="presentation" onClickCapture={replaceEntry}>
        <ul className={styles.cards}>
          {cards.map((card) => (
            <TradeCardItem key={card.kind} card={card} isNamed={false} />
          ))}
        </ul>
      </div>
    </section>
  );
}
