import { useId } from 'react';
import { cardCopy } from './copy';
import { TradeCardItem } from './TradeCardItem';
import styles from './TradeCards.module.css';
import { useNewTradeCards } from './useNewTradeCards';

/** What closing a contract early teaches, in the result of the closing. */
export function ContractTradeCards({ memberSid, acno }: { memberSid: number; acno: string }) {
  const id = useId();
  const cards = useNewTradeCards(memberSid, { acno });
  if (cards.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.inResult}>
      <h2 id={id} className={styles.heading}>
        {cardCopy.title}
      </h2>
      <ul className={styles.cards}>
        {cards.map((card) => (
          <TradeCardItem key={card.kind} card={card} isNamed={false} />
        ))}
      </ul>
    </section>
  );
}
