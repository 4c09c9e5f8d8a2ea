import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { dollars, money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { ToneText } from '@/shared/ui/ToneText';
import { useRested } from '@/shared/ui/useRested';
import { confirmCopy, orderCopy, withObjectParticle } from './copy';
import type { Estimate } from './estimate';
import type { OrderEntry } from './orderCheck';
import { previewQuery } from './orderQueries';
import styles from './ConfirmSheet.module.css';
import { moveToReconfirm } from './priceMove';
import type { LivePrice } from './useLivePrice';

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  memberSid: number;
  /** The waiting order that is being changed. */
  changed: Order | null;
  /** What the confirming button says. */
  word: string;
  item: Item;
  entry: OrderEntry;
  expected: Estimate;
  terms: OrderTerms;
  live: LivePrice;
  isSending: boolean;
  isOnline: boolean;
  onConfirm: () => void;
}

/** The last look before money moves: what, how many, for how much, and what it costs. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { open, onClose, memberSid, changed, word, item, entry, expected, terms, live, isSending, isOnline, onConfirm } = props;
  // The price the member saw when the order was begun; a market order is asked about again when it has run away.
  const [agreedPrice, setAgreedPrice] = useState(live.price);
  const [movedPercent, setMovedPercent] = useState<number | null>(null);
  const noteId = useId();
  const isRested = useRested(open, movedPercent);

  const isMarket = entry.kind === 'market';
  const qty = quantity(entry.qty) + item.unit;
  const preview = useQuery({
    ...previewQuery({
      memberSid,
      isuSrtCd: item.isuSrtCd,
      side: entry.side === 'buy' ? 'BUY' : 'SELL',
      juPrc: isMarket ? null : entry.limitPrice,
      juQty: entry.qty ?? 0,
    }),
    enabled: open && isOnline,
  }).data;
  // Until the server has answered its figures are reckoned here; those of a market order still move either way.
  const sums = preview ?? expected;
  const exactly = (text: string) => (preview && !isMarket ? text : confirmCopy.about(text));

  const priceBefore = changed && !isMissing(changed.juPrc) && changed.juPrc !== entry.limitPrice ? priceText(changed.juPrc, live) : null;
  const qtyBefore = changed && changed.remainQty !== entry.qty ? quantity(changed.remainQty) + item.unit : null;
  const profit = entry.side === 'sell' ? preview?.profit : null;
  const averageAfter = entry.side === 'buy' ? preview?.averageAfter : null;
  const facts: (Fact | null)[] = [
    [confirmCopy.method, orderCopy[entry.kind]],
    [
      confirmCopy.each(item.unit),
      <Changed before={priceBefore} inDollars={live.fxRate === null ? null : dollars(isMarket ? live.price : entry.limitPrice)}>
        {isMarket ? confirmCopy.about(priceText(live.price, live)) : priceText(entry.limitPrice, live)}
      </Changed>,
    ],
    [orderCopy.qty, <Changed before={qtyBefore}>{qty}</Changed>],
    [confirmCopy.fee, exactly(won(sums.fee))],
    entry.side === 'sell' ? [confirmCopy.tax, sums.tax > 0 ? exactly(won(sums.tax)) : confirmCopy.none] : null,
    isMissing(profit) ? null : [confirmCopy.profit, <ToneText value={profit}>{exactly(signedWon(profit))}</ToneText>],
    isMissing(averageAfter) ? null : [confirmCopy.averageAfter, money(averageAfter, item.currency)],
  ];

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
          : confirmCopy.question(item.isuKorNm, withObjectParticle(qty), won(sums.amount), entry.side)
      }
      onClose={close}
      footer={
        <>
          <Button tone="neutral" size="large" onClick={close}>
            {action.close}
          </Button>
          <Button tone={entry.side} size="large" busy={isSending} resting={!isRested} disabled={!isOnline} describedBy={noteId} onClick={confirm}>
            {word}
          </Button>
        </>
      }
    >
      {isMarket && movedPercent === null && <p className={styles.note}>{confirmCopy.market}</p>}
      {terms.session === 'CLOSED' && <p className={styles.note}>{confirmCopy.overnight}</p>}
      <p id={noteId} role="alert" className={styles.alert}>
        {!isOnline && state.offlineBlocked}
        {movedPercent !== null && `${confirmCopy.moved(signedPct(movedPercent))} ${confirmCopy.movedBody(priceText(live.price, live))}`}
      </p>
      <Facts
        facts={facts.filter((fact) => fact !== null)}
        sum={[entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell, exactly(won(sums.total))]}
      />
    </Sheet>
  );
}

/** A value with what it was before a change, and with the same in another currency under it. */
function Changed({ children, before, inDollars = null }: { children: string; before: string | null; inDollars?: string | null }) {
  return (
    <>
      {before !== null && (
        <span className={styles.before}>
          <span className="sr-only">{confirmCopy.was('')}</span>
          {before}
        </span>
      )}
      {children}
      {inDollars !== null && <span className={styles.detail}>{inDollars}</span>}
    </>
  );
}

function priceText(price: number | null, { fxRate }: LivePrice): string {
  if (price === null) return money(null, 'KRW');
  return money(fxRate === null ? price : Math.round(price * fxRate), 'KRW');
}

function signedWon(amount: number): string {
  return amount > 0 ? `+${won(amount)}` : won(amount);
}
