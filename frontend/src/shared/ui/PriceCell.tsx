import { memo, useRef } from 'react';
import type { Item } from '@/shared/api/types';
import { spokenPrice } from '@/shared/format/change';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { listPrice } from '@/shared/format/price';
import { tone, TONE_ARROW } from '@/shared/format/tone';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import styles from './PriceCell.module.css';
import { useFlash } from './useFlash';

/** A row's live price and change. Only this cell renders on a tick. Key it by code. */
export const PriceCell = memo(function PriceCell({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  const cell = useRef<HTMLDivElement>(null);
  useFlash(cell, quote.price);
  const change = quoteChange(quote);
  const side = tone(shownPct(change));
  const inWon = quote.currency === 'USD' && quote.fxRate ? Math.round(quote.price * quote.fxRate) : null;
  const shown = inWon === null ? listPrice(quote.price, quote.currency) : listPrice(inWon, 'KRW');
  const changed = TONE_ARROW[side] + unsignedPct(change);
  const toned = `${styles.change} ${styles[side]}`;
  return (
    <>
      <div ref={cell} aria-hidden="true" className={styles.cell}>
        {shown}
        {inWon === null ? (
          <span className={`${styles.line} ${toned}`}>{changed}</span>
        ) : (
          <span className={styles.line}>
            <span className={styles.foreign}>{listPrice(quote.price, 'USD')}</span>
            <span className={toned}>{changed}</span>
          </span>
        )}
      </div>
      <span className={styles.spoken}>{spokenPrice(inWon ?? quote.price, change, inWon === null ? quote.currency : 'KRW')}</span>
    </>
  );
});
