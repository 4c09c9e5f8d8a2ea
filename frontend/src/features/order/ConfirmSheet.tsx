import { useId, useState } from 'react';
import type { Item, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { warningName } from '@/shared/format/codes';
import { dollars, money } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Checkbox } from '@/shared/ui/Checkbox';
import { Sheet } from '@/shared/ui/Sheet';
import { confirmCopy, orderCopy, withObjectParticle } from './copy';
import type { Estimate } from './estimate';
import type { OrderEntry } from './orderCheck';
import styles from './ConfirmSheet.module.css';
import { moveToReconfirm } from './priceMove';
import type { LivePrice } from './useLivePrice';

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  item: Item;
  entry: OrderEntry;
  expected: Estimate;
  terms: OrderTerms;
  live: LivePrice;
  isSending: boolean;
  isOnline: boolean;
  onConfirm: (consent: { isRiskAccepted: boolean }) => void;
}

/** The last look before money moves: what, how many, for how much, and what it costs. */
export function ConfirmSheet({ open, onClose, item, entry, expected, terms, live, isSending, isOnline, onConfirm }: ConfirmSheetProps) {
  // The price the member saw when the order was begun; a market order is asked about again when it has run away.
  const [agreedPrice, setAgreedPrice] = useState(live.price);
  const [movedPercent, setMovedPercent] = useState<number | null>(null);
  const [isRiskAccepted, setRiskAccepted] = useState(false);
  const [isRiskMissed, setRiskMissed] = useState(false);
  const noteId = useId();

  const isMarket = entry.kind === 'market';
  const isRisky = terms.warnCode === '02' || terms.warnCode === '03';
  const qty = quantity(entry.qty) + item.unit;

  const close = () => {
    setMovedPercent(null);
    setRiskMissed(false);
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
    if (isRisky && !isRiskAccepted) {
      setRiskMissed(true);
      return;
    }
    onConfirm({ isRiskAccepted: isRisky && isRiskAccepted });
  };

  return (
    <Sheet
      open={open}
      title={confirmCopy.question(item.isuKorNm, withObjectParticle(qty), won(expected.amount), entry.side)}
      onClose={close}
      footer={
        <>
          <Button tone="neutral" size="large" onClick={close}>
            {action.close}
          </Button>
          <Button tone={entry.side} size="large" busy={isSending} disabled={!isOnline} describedBy={noteId} onClick={confirm}>
            {action[entry.side]}
          </Button>
        </>
      }
    >
      {isMarket && movedPercent === null && <p className={styles.note}>{confirmCopy.market}</p>}
      {terms.session === 'CLOSED' && <p className={styles.note}>{confirmCopy.overnight}</p>}
      <p id={noteId} role="alert" className={styles.alert}>
        {!isOnline && state.offlineBlocked}
        {movedPercent !== null && `${confirmCopy.moved(signedPct(movedPercent))} ${confirmCopy.movedBody(priceText(live.price, live))}`}
        {isRiskMissed && !isRiskAccepted && confirmCopy.riskMissing}
      </p>
      <dl className={styles.facts}>
        <Fact name={confirmCopy.method} value={orderCopy[entry.kind]} />
        <Fact
          name={confirmCopy.each(item.unit)}
          value={isMarket ? confirmCopy.about(priceText(live.price, live)) : priceText(entry.limitPrice, live)}
          detail={live.fxRate === null ? null : dollars(isMarket ? live.price : entry.limitPrice)}
        />
        <Fact name={orderCopy.qty} value={qty} />
        <Fact name={confirmCopy.fee} value={confirmCopy.about(won(expected.fee))} />
        {entry.side === 'sell' && (
          <Fact name={confirmCopy.tax} value={expected.tax > 0 ? confirmCopy.about(won(expected.tax)) : confirmCopy.none} />
        )}
        <Fact
          name={entry.side === 'buy' ? confirmCopy.totalBuy : confirmCopy.totalSell}
          value={confirmCopy.about(won(expected.total))}
          isTotal
        />
      </dl>
      {isRisky && (
        <div className={styles.risk}>
          <Checkbox checked={isRiskAccepted} onChange={setRiskAccepted}>
            {confirmCopy.risk(warningName(terms.warnCode))}
          </Checkbox>
        </div>
      )}
    </Sheet>
  );
}

function Fact({ name, value, detail = null, isTotal = false }: { name: string; value: string; detail?: string | null; isTotal?: boolean }) {
  return (
    <div className={isTotal ? styles.total : undefined}>
      <dt>{name}</dt>
      <dd>
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
