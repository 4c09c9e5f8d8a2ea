import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { dollars, money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { ToneText } from '@/shared/ui/ToneText';
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
          <Button tone={entry.side} size="large" busy={isSending} disabled={!isOnline} describedBy={noteId} onClick={confirm}>
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
      <dl className={styles.facts}>
        <Fact name={confirmCopy.method} value={orderCopy[entry.kind]} />
        <Fact
          name={confirmCopy.each(item.unit)}
          value={isMarket ? confirmCopy.about(priceText(live.price, live)) : priceText(entry.limitPrice, live)}
          detail={live.fxRate === null ? null : dollars(isMarket ? live.price : entry.limitPrice)}
          before={changed && !isMissing(changed.juPrc) && changed.juPrc !== entry.limitPrice ? priceText(changed.juPrc, live) : null}
        />
        <Fact
          name={orderCopy.qty}
          value={qty}
          before={changed && changed.remainQty !== entry.qty ? quantity(changed.remainQty) + item.unit : null}
        />
        <Fact name={confirmCopy.fee} value={exactly(won(sums.fee))} />
        {entry.side === 'sell' && <Fact name={confirmCopy.tax} value={sums.tax > 0 ? exactly(won(sums.tax)) : confirmCopy.none} />}
        {entry.side === 'sell' && !isMissing(preview?.profit) && (
          <Fact name={confirmCopy.profit} value={<ToneText value={preview.profit}>{exactly(signedWon(preview.profit))}</ToneText>} />
        )}
        {entry.side === 'buy' && !isMissing(preview?.averageAfter) && (
          <Fact name={confirmCopy.averageAfter} value={money(preview.averageAfter, item.currency)} />
        )}
        <Fact
          name={entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell}
          value={exactly(won(sums.total))}
          isTotal
        />
      </dl>
    </Sheet>
  );
}

interface FactProps {
  name: string;
  value: ReactNode;
  detail?: string | null;
  /** What it was before a change. */
  before?: string | null;
  isTotal?: boolean;
}

function Fact({ name, value, detail = null, before = null, isTotal = false }: FactProps) {
  return (
    <div className={isTotal ? styles.total : undefined}>
      <dt>{name}</dt>
      <dd>
        {before !== null && (
          <span className={styles.before}>
            <span className="sr-only">{confirmCopy.was('')}</span>
            {before}
          </span>
        )}
        {value}
        {detail && <span className={styles.detail}>{detail}</span>}
      </dd>
    </div>
  );
}

function priceText(price: number | null, { fxRate }: LivePrice): string {
  if (price === null) return money(null, 'KRW');
  return money(fxRate === null ? price : Math.round(price * fxRate), 'KRW');
}

function signedWon(amount: number): string {
  return amount > 0 ? `+${won(amount)}` : won(amount);
}
