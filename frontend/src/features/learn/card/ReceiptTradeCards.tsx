import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useReplaceOverlayLinks } from '@/shared/ui/overlayHistory';
import { tradeCardsQuery } from './cardQueries';
import { cardCopy } from './copy';
import { TradeCardItem } from './TradeCardItem';
import styles from './TradeCards.module.css';

/** A fill becomes a card within a second; a receipt that is opened sooner asks again. */
const RETRY_MS = 1_500;
const TRIES = 4;

/** What an order teaches, in its receipt. Nothing where the order is too old to have cards. */
export function ReceiptTradeCards({ memberSid, orderSid }: { memberSid: number; orderSid: number }) {
  const id = useId();
  const replaceEntry = useReplaceOverlayLinks();
  const { data = [] } = useQuery({
    ...tradeCardsQuery(memberSid, orderSid),
    refetchInterval: ({ state }) => (state.data?.length === 0 && state.dataUpdateCount < TRIES ? RETRY_MS : false),
  });
  if (data.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.inReceipt}>
      <h3 id={id} className={styles.heading}>
        {cardCopy.title}
      </h3>
      {/* Makes the links inside replace the overlay's history entry; it is no control itself. */}
      <div role="presentation" onClickCapture={replaceEntry}>
        <ul className={styles.cards}>
          {data.map((card) => (
            <TradeCardItem key={card.kind} card={card} isNamed={false} />
          ))}
        </ul>
      </div>
    </section>
  );
}
