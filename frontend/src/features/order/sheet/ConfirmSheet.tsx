import { useId, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { isMissing, quantity } from '@/shared/format/number';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { ToneText } from '@/shared/ui/ToneText';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import { confirmCopy, orderCopy, withObjectParticle } from '@/features/order/copy';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { totalText } from '@/features/order/rules/sums';
import { confirmFacts } from './confirmFacts';
import styles from './ConfirmSheet.module.css';
import { type MarketPrice, moveToReconfirm } from './priceMove';
import type { LivePrice } from './useLivePrice';
import type { PreviewAnswer } from './useOrderPreview';

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  /** The waiting order that is being changed. */
  changed: Order | null;
  /** What the confirming button says. */
  word: string;
  item: Item;
  entry: OrderEntry;
  /** The server's sums, the very ones that the keypad sheet shows. */
  answer: PreviewAnswer;
  terms: OrderTerms;
  live: LivePrice;
  isSending: boolean;
  isOnline: boolean;
  onConfirm: () => void;
}

/** The last look before money moves: what, how many, for how much, and what it costs. Every figure is of one answer. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { open, onClose, changed, word, item, entry, answer, terms, live, isSending, isOnline, onConfirm } = props;
  const { preview, isPending } = answer;
  const now: MarketPrice = { previewed: preview?.price ?? null, traded: live.price };
  // The price that the question was asked at; a market order is asked about again when it has run away since.
  const [agreed, setAgreed] = useState<MarketPrice | null>(null);
  const [moves, setMoves] = useState<readonly number[]>([]);
  if (open && agreed === null) setAgreed(now);
  if (open && agreed?.previewed === null && now.previewed !== null) setAgreed({ ...agreed, previewed: now.previewed });
  if (!open && agreed !== null) {
    setAgreed(null);
    setMoves([]);
  }
  const movedPercent = moves.at(-1) ?? null;
  const noteId = useId();
  const acceptsTaps = useAcceptsTaps(open, moves.length);

  const isMarket = entry.kind === 'market';
  const qty = quantity(entry.qty) + item.unit;
  const total = preview ? totalText(preview, entry.kind) : null;

  const confirm = () => {
    const moved = isMarket && agreed !== null ? moveToReconfirm(agreed, now) : null;
    if (moved !== null) {
      haptic('warning');
      setMoves([...moves, moved]);
      setAgreed(now);
      return;
    }
    onConfirm();
  };

  const [before, after] = confirmCopy.moved;
  const priceNow = preview ? orderCopy.about(price(preview.price, item.currency)) : price(live.price, item.currency);
  const isRaised = moves.length % 2 === 1;
  const alert = (
    <p id={noteId} role="alert" className={styles.alert}>
      {!isOnline && state.offlineBlocked}
      {movedPercent !== null && (
        <>
          {before}
          <ToneText value={shownPct(movedPercent)}>{unsignedPct(movedPercent)}</ToneText>
          {`${after} ${confirmCopy.movedTo(priceNow)}`}
        </>
      )}
    </p>
  );

  return (
    <Sheet
      open={open}
      title={
        changed
          ? confirmCopy.change(item.isuKorNm, entry.side)
          : confirmCopy.question(item.isuKorNm, withObjectParticle(qty), total, entry.side)
      }
      onClose={onClose}
      footer={
        // Above the closing button: where the finger that opened the sheet still lies, nothing is ordered. What asks again comes
        // between the two, or above both, in turn: that moves the button away from the finger that has just pressed it.
        <div className={styles.choices}>
          {!isRaised && alert}
          <Button tone={entry.side} size="large" block busy={isSending} resting={!acceptsTaps} disabled={!isOnline} describedBy={noteId} onClick={confirm}>
            {word}
          </Button>
          {isRaised && alert}
          <Button tone="neutral" size="large" block resting={!acceptsTaps} onClick={onClose}>
            {action.close}
          </Button>
        </div>
      }
    >
      {isMarket && movedPercent === null && <p className={styles.note}>{confirmCopy.market}</p>}
      {terms.session === 'CLOSED' && <p className={styles.note}>{confirmCopy.overnight}</p>}
      <Facts
        facts={confirmFacts({ changed, item, entry, preview, terms })}
        sum={[entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell, isPending ? orderCopy.calculating : (total ?? '-')]}
      />
      {preview && holdNote(preview.hold, preview.total, isMarket)}
      {!preview && !isPending && isOnline && <p className={styles.aside}>{confirmCopy.noSums}</p>}
    </Sheet>
  );
}

/** What is kept aside beyond the total, and why: of a market order because its price may rise, else because the fee rounds up. */
function holdNote(hold: number | null | undefined, total: number, isMarket: boolean) {
  if (isMissing(hold) || hold <= total) return null;
  return <p className={styles.aside}>{isMarket ? confirmCopy.atMost(won(hold)) : confirmCopy.held(won(hold))}</p>;
}
