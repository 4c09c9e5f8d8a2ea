import { memo, useRef } from 'react';
import type { Item } from '@/shared/api/types';
import { spokenPrice } from '@/shared/format/change';
import { listDollars, listPrice } from '@/shared/format/listPrice';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import styles from './PriceCell.module.css';
import { ToneText } from './ToneText';
import { useFlash } from './useFlash';

/** A row's live price and change. Only this cell renders when the instrument trades. Key it by code. */
export const PriceCell = memo(function PriceCell({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  const cell = useRef<HTMLDivElement>(null);
  useFlash(cell, quote.price);
  const change = quoteChange(quote);
  const shownChange = shownPct(change);
  const inWon = quote.currency === 'USD' && quote.fxRate ? Math.round(quote.price * quote.fxRate) : null;
  const shown = inWon === null ? listPrice(quote.price, quote.currency) : listPrice(inWon, 'KRW');
  return (
    <div ref={cell} className={styles.cell}>
      <div aria-hidden="true" className={styles.price}>
        {shown}
      </div>
      <div aria-hidden="true" className={styles.change}>
        {inWon !== null && <span className={styles.foreign}>{listDollars(quote.price)}</span>}
        <ToneText value={shownChange} isSpoken={false}>
          {unsignedPct(change)}
        </ToneText>
      </div>
      <span className={styles.spoken}>{spokenPrice(inWon ?? quote.price, change, inWon === null ? quote.currency : 'KRW')}</span>
    </div>
  );
});
