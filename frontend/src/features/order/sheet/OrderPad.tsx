import { lazy, Suspense, useEffect, useId, useReducer, useState } from 'react';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { quantity } from '@/shared/format/number';
import { haptic } from '@/shared/platform/haptics';
import { entryValue, type KeypadKey } from '@/shared/ui/amountEntry';
import { AmountDisplay } from '@/shared/ui/AmountDisplay';
import { AmountKeypad } from '@/shared/ui/AmountKeypad';
import { QtyChips, type QtyRatio } from '@/shared/ui/QtyChips';
import { useIsOnline } from '@/shared/ui/States';
import { modifyCopy, orderCopy } from '@/features/order/copy';
import { holdMarginOf } from '@/features/order/rules/holdMargin';
import { fieldOf, findIssue, isMistake } from '@/features/order/rules/orderCheck';
import { isFinal } from '@/features/order/orderQueries';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { decimalsOfStep, withRoomToRise } from '@/features/order/rules/quantity';
import { missingWon } from '@/features/order/rules/sums';
import { needsConsent } from '@/features/order/rules/needsConsent';
import { floorToTick, nearestPrices, withinLimits } from '@/features/order/rules/ticks';
import { modificationType, type OrderDraft } from '@/features/order/rules/orderBodies';
import { AccountRow } from '@/features/order/account/AccountRow';
import type { AccountChoice } from '@/features/order/account/useOrderAccount';
import { KindSwitch } from './KindSwitch';
import { issueSentence } from './issueSentence';
import { storedDraft, usePersistedDraft } from './orderDraft';
import { formOf, type Measure, NEW_ORDER, type OrderField, orderForm, priceDecimals, rulesFor } from './orderForm';
import styles from './OrderSheet.module.css';
import { OrderCta } from './OrderCta';
import { OrderSummary } from './OrderSummary';
import { PriceChips } from './PriceChips';
import { PriceStepper } from './PriceStepper';
import { QtyField } from './QtyField';
import { qtyHelper, withoutQty } from './qtyHelper';
import { blockedBy, priceHelper, waitingNote } from './padNotes';
import { isTooMuch, shareOf, useFittedForm } from './useFittedForm';
import { useOrderChanges } from './useOrderChanges';
import { type PricedOrder, usePricedOrder } from './usePricedOrder';
import { useAmountAnnouncement } from './useAmountAnnouncement';
import type { LivePrice } from './useLivePrice';

const AccountSheet = lazy(() =>
  import(/* webpackChunkName: "order-confirm" */ '@/features/order/account/AccountSheet').then(({ AccountSheet }) => ({ default: AccountSheet })),
);
// Begins to load with the pad, long before the first confirmation.
const ConfirmSheet = lazy(() => import(/* webpackChunkName: "order-confirm" */ './ConfirmSheet').then(({ ConfirmSheet }) => ({ default: ConfirmSheet })));
const RiskSheet = lazy(() => import(/* webpackChunkName: "order-confirm" */ './RiskSheet'));

interface OrderPadProps {
  memberSid: number;
  item: Item;
  side: OrderSide;
  account: AccountChoice;
  terms: OrderTerms;
  /** The limit price of the terms, null for the market; undefined while those of another price are shown. */
  termsPrice: number | null | undefined;
  /** The terms are still those of the account before. */
  isSwitching: boolean;
  /** The waiting order being modified; null for a new order. */
  changed: Order | null;
  live: LivePrice;
  /** Called with the limit price being typed, at which the terms are fetched; null for a market order. */
  onLimitPrice: (price: number | null) => void;
  isSending: boolean;
  /** A failure dialog is open. */
  isInterrupted: boolean;
  onConfirm: (draft: OrderDraft) => void;
}

/** The form of the order sheet: kind, price, quantity, keypad and the button to the confirmation. */
export function OrderPad(props: OrderPadProps) {
  const { memberSid, item, side, account, terms: serverTerms, termsPrice, isSwitching, changed, live, onLimitPrice, isSending, isInterrupted, onConfirm } = props;
  const draft = { memberSid, code: item.isuSrtCd, side };
  const [stored] = useState(() => (changed === null ? storedDraft(draft) : null));
  const [form, dispatch] = useReducer(orderForm, changed, (order) => (order === null ? (stored ?? NEW_ORDER) : formOf(order, serverTerms)));
  const currentTerms = withRoomToRise(serverTerms, side, form.kind);
  const [shakes, setShakes] = useState<Record<OrderField, number>>({ price: 0, qty: 0 });
  const [isSubmitted, setSubmitted] = useState(false);
  const [tooSmall, setTooSmall] = useState<QtyRatio | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const [sent, setSent] = useState<Pick<PricedOrder, 'entry' | 'answer'> | null>(null);
  const [isWarning, setWarning] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const [isRiskAccepted, setRiskAccepted] = useState(false);
  const isOnline = useIsOnline();
  const ids = useId();

  const hasMoved = useOrderChanges(changed, isSending, (before, after) => {
    dispatch({ type: 'follow', before, after, terms: currentTerms });
    // The figures being confirmed are outdated.
    setConfirming(false);
  });
  const { entry, entryFor, terms, issue, answer, leastWon } = usePricedOrder({ memberSid, acno: account.acno, item, side, form, live, terms: currentTerms, changed });
  const fitted = useFittedForm({
    form, dispatch, side, terms, issue,
    unit: item.unit,
    isFrozen: isConfirming || isSending || isSwitching,
    isDraft: stored !== null,
    isAtPrice: termsPrice === (form.kind === 'limit' ? entryValue(form.price) : null),
  });
  // The quantity of an amount follows the price until the order is sent.
  const confirmed = isSending && sent !== null ? sent : { entry, answer };
  const isUnchanged = changed !== null && modificationType(changed, entry) === null;
  const isShort = answer.preview !== undefined && missingWon(entry, answer.preview, terms) > 0;
  const shown = issue && !isSwitching && (isMistake(issue) || isSubmitted) ? issue : null;
  const wording = { currency: item.currency, unit: item.unit, margin: holdMarginOf(entry, terms) };
  const errorIn = (field: OrderField) => {
    if (shown?.kind === 'no-qty' && form.measure === 'amount' && field === 'qty') {
      return withoutQty({ form, terms, leastWon, unit: item.unit });
    }
    if (shown && fieldOf(shown) === field) return issueSentence(shown, wording);
    return field === 'qty' && tooSmall !== null ? orderCopy.lessThanOne(tooSmall, item.unit) : null;
  };

  usePersistedDraft(changed === null ? draft : null, form);
  useEffect(() => onLimitPrice(form.kind === 'limit' ? entryValue(form.price) : null), [form.kind, form.price, onLimitPrice]);
  useAmountAnnouncement(form, item);
  // A failure closes the confirmation; a new attempt is confirmed again.
  if (isInterrupted && isConfirming) setConfirming(false);

  const shake = (field: OrderField) => {
    haptic('warning');
    setShakes((counts) => ({ ...counts, [field]: counts[field] + 1 }));
  };

  const press = (key: KeypadKey) => {
    const event = { type: 'key', key, rules: rulesFor(form.field, terms, form) } as const;
    const next = orderForm(form, event);
    const isRejected = next === form && key !== 'back' && key !== 'clear';
    if (isRejected || (next.field === 'qty' && isTooMuch(findIssue(entryFor(next), terms, live.price)))) shake(form.field);
    setSubmitted(false);
    setTooSmall(null);
    fitted.forget();
    dispatch(event);
  };

  const pickRatio = (ratio: QtyRatio) => {
    // For a sale, a percent chip means a share of the holding even while an amount is typed.
    const measure = form.measure === 'amount' && side === 'buy' ? 'amount' : 'qty';
    const share = shareOf(ratio, measure, side, terms);
    const isNone = measure === 'qty' && share.text === '';
    setTooSmall(isNone ? ratio : null);
    fitted.forget();
    if (isNone) shake('qty');
    else dispatch({ type: 'ratio', ratio, measure, entry: share });
  };

  const measureIn = (measure: Measure) => {
    setTooSmall(null);
    fitted.forget();
    if (measure === 'qty') {
      // A quantity holds a margin, so it may be less than what the same cash buys by amount.
      const isPayable = entry.amount !== undefined && entry.amount <= terms.availableCash;
      const qty = isPayable ? Math.min(entry.qty ?? 0, terms.maxBuyQty) : entry.qty;
      dispatch({ type: 'measure', measure, value: qty === 0 ? null : qty, decimals: decimalsOfStep(terms.qtyStep) });
      return;
    }
    const total = side === 'buy' ? answer.preview?.total : answer.preview?.amount;
    dispatch({ type: 'measure', measure, value: total ?? null, decimals: 0 });
  };

  const goOn = () => {
    if (isSwitching) return;
    if (issue === null) {
      if (needsConsent(terms.warnCode) && !isRiskAccepted) setWarning(true);
      else setConfirming(true);
      return;
    }
    setSubmitted(true);
    const field = fieldOf(issue);
    dispatch({ type: 'field', field });
    shake(field);
  };

  const isOver = changed !== null && isFinal(changed.status) && !isSending;
  const moved = hasMoved && changed !== null && !isOver ? modifyCopy.moved(quantity(changed.remainQty) + item.unit) : null;
  const blocked = (isOver ? modifyCopy.tooLate : null) ?? blockedBy(terms, side, isOnline, live) ?? (isUnchanged ? modifyCopy.unchanged : null);
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
              helper={priceHelper(entry.limitPrice, live)}
              errorId={`${ids}-price`}
            >
              <PriceStepper
                price={entry.limitPrice ?? suggestion}
                terms={terms}
                onStep={(stepped) => dispatch({ type: 'price', price: stepped, decimals: priceDecimals(terms, stepped) })}
              />
            </AmountDisplay>
          )}
          <QtyField
            form={form}
            item={item}
            side={side}
            canBeAmount={changed === null}
            onActivate={() => dispatch({ type: 'field', field: 'qty' })}
            onMeasure={measureIn}
            shakes={shakes.qty}
            error={errorIn('qty')}
            helper={qtyHelper({ form, entry, terms, preview: answer.preview, leastWon, unit: item.unit })}
            errorId={`${ids}-qty`}
          />
        </div>
      </div>
      <div className={styles.bottom}>
        {account.chosen && account.accounts.length > 1 && (
          <AccountRow account={account.chosen} terms={isSwitching ? null : terms} side={side} unit={item.unit} onOpen={() => setPicking(true)} />
        )}
        <OrderSummary entry={entry} unit={item.unit} terms={terms} account={account} answer={answer} />
        <div className={styles.chips}>
          {form.field === 'price' ? (
            <PriceChips
              side={side}
              livePrice={live.price}
              limitPrice={entry.limitPrice}
              terms={terms}
              nearest={shown?.kind === 'off-tick' && entry.limitPrice !== null ? nearestPrices(entry.limitPrice, terms) : null}
              currency={item.currency}
              onPick={(picked) => dispatch({ type: 'price', price: picked, decimals: priceDecimals(terms, picked) })}
            />
          ) : (
            <QtyChips selected={form.ratio} onPick={pickRatio} />
          )}
        </div>
        <AmountKeypad
          label={orderCopy[`${form.field === 'price' ? 'price' : form.measure}Input`]}
          hasPoint={rulesFor(form.field, terms, form).decimals > 0}
          onKey={press}
          isActive={!isConfirming && !isWarning && !isPicking && !isInterrupted}
        />
      </div>
      <OrderCta
        side={side}
        word={word}
        news={moved ?? fitted.note}
        blocked={blocked}
        note={waitingNote(terms, live)}
        isDisabled={isShort || (shown !== null && isMistake(shown))}
        errorId={shown ? `${ids}-${fieldOf(shown)}` : undefined}
        id={`${ids}-blocked`}
        onClick={goOn}
      />
      <Suspense fallback={null}>
        {needsConsent(terms.warnCode) && (
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
        )}
        {account.accounts.length > 1 && (
          <AccountSheet open={isPicking} choice={account} side={side} unit={item.unit} onClose={() => setPicking(false)} />
        )}
        <ConfirmSheet
          open={isConfirming}
          onClose={() => setConfirming(false)}
          changed={changed}
          word={word}
          item={item}
          account={account}
          entry={confirmed.entry}
          answer={confirmed.answer}
          terms={terms}
          live={live}
          isSending={isSending}
          isOnline={isOnline}
          onConfirm={() => {
            setSent(confirmed);
            onConfirm({ acno: account.acno, item, entry: confirmed.entry, seenPrice: live.price, isRiskAccepted });
          }}
        />
      </Suspense>
    </>
  );
}
