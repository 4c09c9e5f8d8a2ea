import { useId, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { useRested } from '@/shared/ui/useRested';
import { confirmCopy, orderCopy, withObjectParticle } from './copy';
import { confirmFacts } from './confirmFacts';
import type { OrderEntry } from './orderCheck';
import styles from './ConfirmSheet.module.css';
import { totalText } from './OrderSummary';
import { moveToReconfirm } from './priceMove';
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
  // The price the member saw when the order was begun; a market order is asked about again when it has run away.
  const [agreedPrice, setAgreedPrice] = useState(live.price);
  const [movedPercent, setMovedPercent] = useState<number | null>(null);
  const noteId = useId();
  const isRested = useRested(open, movedPercent);

  const { preview, isPending } = answer;
  const isMarket = entry.kind === 'market';
  const qty = quantity(entry.qty) + item.unit;
  const total = preview ? totalText(preview, entry.kind) : null;

  const close = () => {
    setMovedPercent(null);
    onClose();
  };

  const confirm = () => {
    const moved = isMarket ? moveToReconfirm(agreedPrice, live.price) : null;
    if (moved !== null) {
      haptic('warning');
      setMovedPercent(moved);
      setAgreedPrice(live.price);
      return;
    }
    onConfirm();
  };

  return (
    <Sheet
      open={open}
      title={
        changed
          ? confirmCopy.change(item.isuKorNm, entry.side)
          : confirmCopy.question(item.isuKorNm, withObjectParticle(qty), total, entry.side)
      }
      onClose={close}
      footer={
        // Above the closing button: where the finger that opened the sheet still lies, nothing is ordered.
        <div className={styles.choices}>
          <Button tone={entry.side} size="large" block busy={isSending} resting={!isRested} disabled={!isOnline} describedBy={noteId} onClick={confirm}>
            {word}
          </Button>
          <Button tone="neutral" size="large" block resting={!isRested} onClick={close}>
            {action.close}
          </Button>
        </div>
      }
    >
      {isMarket && movedPercent === null && <p className={styles.note}>{confirmCopy.market}</p>}
      {terms.session === 'CLOSED' && <p className={styles.note}>{confirmCopy.overnight}</p>}
      <p id={noteId} role="alert" className={styles.alert}>
        {!isOnline && state.offlineBlocked}
        {movedPercent !== null && `${confirmCopy.moved(signedPct(movedPercent))} ${confirmCopy.movedBody(priceInWon(live))}`}
      </p>
      <Facts
        facts={confirmFacts({ changed, item, entry, preview, terms })}
        sum={[entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell, isPending ? orderCopy.reckoning : (total ?? '-')]}
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

function priceInWon({ price, fxRate }: LivePrice): string {
  return money(fxRate === null ? price : Math.round(price * fxRate), 'KRW');
}
