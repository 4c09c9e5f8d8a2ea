import { useQuery } from '@tanstack/react-query';
import { Section } from '@/shared/ui/Section';
import { tradeCardsQuery } from './cardQueries';
import { cardCopy } from './copy';
import { TradeCardItem } from './TradeCardItem';
import styles from './TradeCards.module.css';

const SHOWN = 3;

/** What the member's newest trades teach; nothing without trades, or while every question was answered lately. */
export function HomeTradeCards({ memberSid }: { memberSid: number }) {
  const { data = [] } = useQuery(tradeCardsQuery(memberSid, null));
  const due = data.filter(({ isDue }) => isDue).slice(0, SHOWN);
  if (due.length === 0) return null;
  return (
    <Section title={cardCopy.title}>
      <ul className={styles.cards}>
        {due.map((card) => (
          <TradeCardItem key={card.kind} card={card} isNamed />
        ))}
      </ul>
    </Section>
  );
}
