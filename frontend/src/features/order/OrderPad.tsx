import { useEffect, useId, useReducer, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action, state } from '@/shared/copy/copy.shared';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { entryValue, type KeypadKey } from '@/shared/ui/amountEntry';
import { AmountDisplay } from '@/shared/ui/AmountDisplay';
import { AmountKeypad } from '@/shared/ui/AmountKeypad';
import { Button } from '@/shared/ui/Button';
import { QtyChips, type QtyRatio } from '@/shared/ui/QtyChips';
import { useIsOnline } from '@/shared/ui/States';
import { ConfirmSheet } from './ConfirmSheet';
import { modifyCopy, obstacleCopy, orderCopy } from './copy';
import { estimate } from './estimate';
import { KindSwitch } from './KindSwitch';
import { obstacleSentence } from './obstacleSentence';
import { fieldOf, findObstacle, isMistake, reckonedPrice } from './orderCheck';
import { entryOf, formOf, NEW_ORDER, type OrderField, orderForm, priceDecimals, rulesFor } from './orderForm';
import type { OrderSide } from './orderSides';
import styles from './OrderSheet.module.css';
import { PriceStepper } from './PriceStepper';
import { decimalsOfStep, maxQty, qtyForRatio } from './quantity';
import { floorToTick, withinLimits } from './ticks';
import { modificationType, type OrderDraft } from './orderBodies';
import { needsConsent, RiskSheet } from './RiskSheet';
import { termsWithout } from './termsWithout';
import { useSpokenAmount } from './useSpokenAmount';
import type { LivePrice } from './useLivePrice';

interface OrderPadProps {
  memberSid: number;
  item: Item;
  side: OrderSide;
  terms: OrderTerms;
  /** The waiting order that is being changed; null makes a new one. */
  changed: Order | null;
  live: LivePrice;
  /** Told the limit price being typed, so that the terms are asked for at it; null for a market order. */
  onLimitPrice: (price: number | null) => void;
  isSending: boolean;
  /** A failure dialog is open above. */
  isInterrupted: boolean;
  onConfirm: (draft: OrderDraft) => void;
}

/** The part of the sheet that is filled in: method, price, quantity, keypad, and the way to the confirmation. */
export function OrderPad(props: OrderPadProps) {
  const { memberSid, item, side, terms: asked, changed, live, onLimitPrice, isSending, isInterrupted, onConfirm } = props;
  const [form, dispatch] = useReducer(orderForm, changed, (order) => (order === null ? NEW_ORDER : formOf(order, asked)));
  const [shakes, setShakes] = useState<Record<OrderField, number>>({ price: 0, qty: 0 });
  const [isAsked, setAsked] = useState(false);
  const [tooSmall, setTooSmall] = useState<QtyRatio | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const [isWarning, setWarning] = useState(false);
  const [isRiskAccepted, setRiskAccepted] = useState(false);
  const isOnline = useIsOnline();
  const ids = useId();

  const entry = entryOf(form, side);
  const terms = changed === null ? asked : termsWithout(changed, asked, reckonedPrice(entry, live.price));
  const isUnchanged = changed !== null && modificationType(changed, entry) === null;
  const obstacle = findObstacle(entry, terms, live.price);
  const price = reckonedPrice(entry, live.price);
  const expected = price === null || entry.qty === null ? null : estimate(side, price, entry.qty, terms);
  const shown = obstacle && (isMistake(obstacle) || isAsked) ? obstacle : null;
  const wording = { currency: item.currency, unit: item.unit };
  const errorIn = (field: OrderField) => {
    if (shown && fieldOf(shown) === field) return obstacleSentence(shown, wording);
    return field === 'qty' && tooSmall !== null ? orderCopy.lessThanOne(tooSmall, item.unit) : null;
  };

  useEffect(() => onLimitPrice(form.kind === 'limit' ? entryValue(form.price) : null), [form.kind, form.price, onLimitPrice]);
  useSpokenAmount(form, item);
  // A failure ends this confirmation; the next one is a new decision.
  if (isInterrupted && isConfirming) setConfirming(false);

  const shake = (field: OrderField) => {
    haptic('warning');
    setShakes((counts) => ({ ...counts, [field]: counts[field] + 1 }));
  };

  const press = (key: KeypadKey) => {
    const event = { type: 'key', key, rules: rulesFor(form.field, terms, form) } as const;
    const next = orderForm(form, event);
    const isRefused = next === form && key !== 'back' && key !== 'clear';
    if (isRefused || isTooMuch(next, side, terms, live)) shake(form.field);
    setAsked(false);
    setTooSmall(null);
    dispatch(event);
  };

  const pickRatio = (ratio: QtyRatio) => {
    const qty = qtyForRatio(maxQty(terms, side), ratio, terms.qtyStep);
    setTooSmall(qty === 0 ? ratio : null);
    if (qty === 0) shake('qty');
    else dispatch({ type: 'ratio', ratio, qty, decimals: decimalsOfStep(terms.qtyStep) });
  };

  const goOn = () => {
    if (obstacle === null) {
      if (needsConsent(terms.warnCode) && !isRiskAccepted) setWarning(true);
      else setConfirming(true);
      return;
    }
    setAsked(true);
    const field = fieldOf(obstacle);
    dispatch({ type: 'field', field });
    shake(field);
  };

  const note = waitingNote(terms, live);
  const blocked = blockedBy(terms, side, isOnline, live) ?? (isUnchanged ? modifyCopy.unchanged : null);
  const word = changed === null ? action[side] : modifyCopy.action;
  const decimals = priceDecimals(terms, entry.limitPrice);
  const suggestion = withinLimits(floorToTick(live.price, terms.tickTable), terms.limits);
  return (
    <>
      <div className={styles.fields}>
        {changed === null && (
          <KindSwitch kind={form.kind} onChange={(kind) => dispatch({ type: 'kind', kind, suggestion, decimals })} />
        )}
        <div className={styles.amounts}>
          {form.kind === 'limit' && (
            <AmountDisplay
              label={orderCopy.price}
              entry={form.price}
              prefix={item.currency === 'USD' ? '$' : ''}
              unit={item.currency === 'KRW' ? orderCopy.won : ''}
              placeholder={orderCopy.pricePlaceholder}
              isActive={form.field === 'price'}
              onActivate={() => dispatch({ type: 'field', field: 'price' })}
              shakes={shakes.price}
              error={errorIn('price')}
              helper={limitInWon(entry.limitPrice, live)}
              errorId={`${ids}-price`}
            >
              <PriceStepper
                price={entry.limitPrice ?? suggestion}
                terms={terms}
                onStep={(stepped) => dispatch({ type: 'price', price: stepped, decimals: priceDecimals(terms, stepped) })}
              />
            </AmountDisplay>
          )}
          <AmountDisplay
            label={orderCopy.qty}
            entry={form.qty}
            unit={item.unit}
            placeholder={orderCopy.qtyPlaceholder(item.unit, side)}
            isActive={form.field === 'qty'}
            onActivate={() => dispatch({ type: 'field', field: 'qty' })}
            shakes={shakes.qty}
            error={errorIn('qty')}
            helper={form.kind === 'market' ? orderCopy.marketPrice : null}
            errorId={`${ids}-qty`}
          />
        </div>
      </div>
      <div className={styles.bottom}>
        <dl className={styles.summary}>
          <div>
            <dt>{side === 'buy' ? orderCopy.orderable : orderCopy.owned}</dt>
            <dd>{side === 'buy' ? won(terms.availableCash) : quantity(terms.sellableQty) + item.unit}</dd>
          </div>
          <div>
            <dt>{orderCopy.expected}</dt>
            <dd className={shown?.kind === 'over-cash' ? styles.over : undefined}>
              {shown?.kind === 'over-cash' && shown.maxQty > 0 && shown.shortWon > 0
                ? obstacleCopy.overCash(won(shown.shortWon))
                : won(expected?.total)}
            </dd>
          </div>
        </dl>
        <div className={styles.chips}>
          <QtyChips selected={form.ratio} onPick={pickRatio} />
        </div>
        <AmountKeypad
          label={form.field === 'qty' ? orderCopy.qtyInput : orderCopy.priceInput}
          hasPoint={rulesFor(form.field, terms, form).decimals > 0}
          onKey={press}
          isActive={!isConfirming && !isWarning && !isInterrupted}
        />
        <div className={styles.cta}>
          {blocked && (
            <p id={`${ids}-blocked`} className={styles.blocked}>
              {blocked}
            </p>
          )}
          {!blocked && note && <p className={styles.blocked}>{note}</p>}
          <Button
            tone={side}
            size="large"
            block
            disabled={blocked !== null || (shown !== null && isMistake(shown))}
            describedBy={blocked ? `${ids}-blocked` : shown ? `${ids}-${fieldOf(shown)}` : undefined}
            onClick={goOn}
          >
            {word}
          </Button>
        </div>
      </div>
      <RiskSheet
        open={isWarning}
        name={item.isuKorNm}
        warnCode={terms.warnCode}
        onClose={() => setWarning(false)}
        onAccept={() => {
          setRiskAccepted(true);
          setWarning(false);
          setConfirming(true);
        }}
      />
      {expected && (
        <ConfirmSheet
          open={isConfirming}
          onClose={() => setConfirming(false)}
          memberSid={memberSid}
          changed={changed}
          word={word}
          item={item}
          entry={entry}
          expected={expected}
          terms={terms}
          live={live}
          isSending={isSending}
          isOnline={isOnline}
          onConfirm={() => onConfirm({ item, entry, seenPrice: live.price, isRiskAccepted })}
        />
      )}
    </>
  );
}

function isTooMuch(form: ReturnType<typeof orderForm>, side: OrderSide, terms: OrderTerms, live: LivePrice): boolean {
  if (form.field !== 'qty') return false;
  const obstacle = findObstacle(entryOf(form, side), terms, live.price);
  return obstacle?.kind === 'over-cash' || obstacle?.kind === 'over-holding';
}

function blockedBy(terms: OrderTerms, side: OrderSide, isOnline: boolean, { mark }: LivePrice): string | null {
  if (!isOnline) return state.offlineBlocked;
  if (!terms.tradable) return orderCopy.notTradable;
  if (terms.session === 'HALTED' || mark === 'halted') return orderCopy.halted;
  return side === 'sell' && terms.sellableQty === 0 ? orderCopy.nothingToSell : null;
}

/** What an order will wait for when it is not traded at once. */
function waitingNote({ session }: OrderTerms, { mark }: LivePrice): string | null {
  switch (mark) {
    case 'interrupted':
      return orderCopy.interrupted;
    case 'auction':
      return orderCopy.auction;
    case 'halted':
    case null:
      return session === 'CLOSED' ? orderCopy.closed : null;
  }
}

// A dollar price means little to somebody who pays in won.
function limitInWon(limitPrice: number | null, { fxRate }: LivePrice): string | null {
  if (limitPrice === null || isMissing(fxRate)) return null;
  return orderCopy.about(money(Math.round(limitPrice * fxRate), 'KRW'));
}
