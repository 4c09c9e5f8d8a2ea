import { useId, useState } from 'react';
import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
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
import type { AccountChoice } from '@/features/order/account/useOrderAccount';
import { confirmCopy, orderCopy, resultCopy, withObjectParticle } from '@/features/order/copy';
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
  /** The waiting order being modified. */
  changed: Order | null;
  /** The label of the confirming button. */
  word: string;
  item: Item;
  account: AccountChoice;
  entry: OrderEntry;
  /** The sums the keypad sheet shows. */
  answer: PreviewAnswer;
  terms: OrderTerms;
  live: LivePrice;
  isSending: boolean;
  isOnline: boolean;
  onConfirm: () => void;
}

/** The confirmation: what, how many, at what total. All figures come from one reply. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { open, onClose, changed, word, item, account, entry, answer, terms, live, isSending, isOnline, onConfirm } = props;
  const { preview, isPending } = answer;
  const now: MarketPrice = { previewed: preview?.price ?? null, traded: live.price };
  // The price agreed to; a market order is confirmed again when the price has moved away from it.
  const [agreed, setAgreed] = useState<MarketPrice | null>(null);
  const [moves, setMoves] = useState<readonly number[]>([]);
  if (open && agreed === null) setAgreed(now);
  if (open && agreed?.previewed === null && now.previewed !== null) setAgreed({ ...agreed, previewed: now.previewed });
  if (!open && agreed !== null) {
    setAgreed(null);
    setMoves([]);
  }
  const movedPercent = moves.at(-1) ?? null;
  const { clock } = useRuntimeConfig();
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
        // The order button is above the closing button, so that a second tap at the same place never orders. A repeated
        // question moves it again, away from the finger that has just pressed it.
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
      <div className={styles.facts}>
        <Facts
          facts={confirmFacts({ changed, item, accountName: nameOf(account), entry, preview, terms, clock, now: new Date() })}
          sum={[entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell, isPending ? orderCopy.calculating : (total ?? '-')]}
        />
      </div>
      {entry.side === 'sell' && !isMissing(preview?.profit) && <p className={styles.aside}>{resultCopy.profitNote}</p>}
      {entry.amount !== undefined && <p className={styles.aside}>{confirmCopy.atMostAmount(won(entry.amount))}</p>}
      {entry.amount === undefined && preview && holdNote(preview.hold, preview.total, isMarket, item.currency)}
      {!preview && !isPending && isOnline && <p className={styles.aside}>{confirmCopy.noSums}</p>}
    </Sheet>
  );
}

/** The account, where the order could come from another one. */
function nameOf({ accounts, chosen }: AccountChoice): string | null {
  return chosen !== null && (accounts.length > 1 || !chosen.isBasic) ? chosen.actNm : null;
}

/** The amount reserved beyond the total, and why: a market price or the exchange rate may rise, and a fee rounds up. */
function holdNote(hold: number | null | undefined, total: number, isMarket: boolean, currency: Item['currency']) {
  if (isMissing(hold) || hold <= total) return null;
  const reason = isMarket ? confirmCopy.atMost : currency === 'USD' ? confirmCopy.heldDollars : confirmCopy.held;
  return <p className={styles.aside}>{reason(won(hold))}</p>;
}
