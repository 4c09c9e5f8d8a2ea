import { useEffect, useId, useRef, useState } from 'react';
import { articleHref } from '@/features/learn/learnPaths';
import { TermSheetEntry } from '@/features/learn/glossary/TermSheetEntry';
import { Blocks } from '@/features/learn/text/Blocks';
import { ButtonLink } from '@/shared/ui/Button';
import type { TradeCard } from '@/features/learn/learnTypes';
import { cardQuizHref } from './cardPaths';
import { cardCopy, cardSentence, cardTitle } from './copy';
import styles from './TradeCards.module.css';

/** What a trade shows; `이게 뭐예요?` unfolds the explanation, an article and a question. */
export function TradeCardItem({ card, isNamed }: { card: TradeCard; isNamed: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [word, setWord] = useState<string | null>(null);
  const more = useRef<HTMLDivElement>(null);
  const id = useId();
  // What unfolds may be below the fold.
  useEffect(() => {
    if (!isOpen || more.current === null) return;
    more.current.focus({ preventScroll: true });
    (more.current as Partial<HTMLDivElement>).scrollIntoView?.({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li className={styles.card}>
      {isNamed && <p className={styles.order}>{cardTitle(card)}</p>}
      <p id={`${id}sentence`} className={styles.sentence}>
        {cardSentence(card)}
      </p>
      <button type="button" className={styles.what} aria-expanded={isOpen} aria-controls={`${id}more`} aria-describedby={`${id}sentence`} onClick={() => setOpen(!isOpen)}>
        {isOpen ? cardCopy.fold : cardCopy.what}
      </button>
      <div ref={more} id={`${id}more`} hidden={!isOpen} tabIndex={-1} role="group" aria-labelledby={`${id}sentence`} className={styles.more}>
        <Explanation card={card} onTerm={setWord} />
        <div className={styles.ways}>
          <ButtonLink to={cardQuizHref(card)} block>
            {cardCopy.ask}
          </ButtonLink>
          <ButtonLink to={articleHref(card.articleSid)} tone="tint" block>
            {cardCopy.read}
          </ButtonLink>
        </div>
      </div>
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </li>
  );
}

function Explanation({ card: { term, articleTitle, articleSummary }, onTerm }: { card: TradeCard; onTerm: (word: string) => void }) {
  if (term === null) {
    return (
      <>
        <p className={styles.gist}>{articleTitle}</p>
        <p className={styles.text}>{articleSummary}</p>
      </>
    );
  }
  return (
    <>
      <p className={styles.gist}>
        {term.word}: {term.gist}
      </p>
      <div className={styles.text}>
        <Blocks text={term.text} onTerm={onTerm} />
      </div>
    </>
  );
}
