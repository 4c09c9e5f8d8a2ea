import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { Category } from '@/shared/api/assets';
import type { Item, Order } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { CloseIcon } from '@/shared/ui/icons';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { modifyCopy, orderCopy } from '@/features/order/copy';
import { modifyBody, orderKindOf, placeBody } from '@/features/order/rules/orderBodies';
import { rememberAccount } from '@/features/order/account/accountMemory';
import { useOrderAccount } from '@/features/order/account/useOrderAccount';
import { termsQuery } from '@/features/order/orderQueries';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { useDebounced } from '@/shared/ui/useDebounced';
import { OrderPad } from './OrderPad';
import styles from './OrderSheet.module.css';
import { BestPrices, PriceLine } from './PriceLine';
import { useLivePrice } from './useLivePrice';
import { useOrderAttempt } from './useOrderAttempt';

// With the confirmation, which the pad loads: what follows an order never waits for the network.
const OrderDone = lazy(() => import(/* webpackChunkName: "order-confirm" */ './OrderDone').then(({ OrderDone }) => ({ default: OrderDone })));
const OrderFailure = lazy(() =>
  import(/* webpackChunkName: "order-confirm" */ './OrderFailure').then(({ OrderFailure }) => ({ default: OrderFailure })),
);

interface OrderSheetProps {
  memberSid: number;
  category: Category;
  item: Item;
  side: OrderSide;
  /** The waiting order being modified; null for a new order. */
  changed?: Order | null;
  onClose: () => void;
  onSeeWaiting: () => void;
  onSeeHoldings: () => void;
  onSeeOthers: () => void;
  /** Opens the receipt of an order. */
  onWhy: (orderSid: number) => void;
}

const PRICE_DEBOUNCE_MS = 300;

/** The order dialog, from the first digit to the result. */
export function OrderSheet(props: OrderSheetProps) {
  const { memberSid, category, item, side, changed = null, onClose, onSeeWaiting, onSeeHoldings, onSeeOthers, onWhy } = props;
  const code = item.isuSrtCd;
  const titleId = useId();
  const live = useLivePrice(item);
  const isOnline = useIsOnline();
  const [limitPrice, setLimitPrice] = useState<number | null>(changed?.juPrc ?? null);
  const account = useOrderAccount({ memberSid, category, code, side, changed });
  const askedPrice = useDebounced(limitPrice, PRICE_DEBOUNCE_MS);
  const terms = useQuery({ ...termsQuery(memberSid, code, account.acno, askedPrice), enabled: !account.isPending });
  const orderGb = orderKindOf(side, changed !== null);
  const attempt = useOrderAttempt({ memberSid, category, code, orderGb, orderSid: changed?.orderSid ?? null });
  const title = (changed ? modifyCopy : orderCopy).title(item.isuKorNm, side);

  const outcome = attempt.outcome;
  if (outcome?.kind === 'done') {
    const { order, fills } = outcome.reply;
    return (
      <Suspense fallback={null}>
        <OrderDone
          memberSid={memberSid}
          category={category}
          order={order}
          fills={fills}
          isChange={changed !== null}
          unit={item.unit}
          accountName={account.chosen && (account.accounts.length > 1 || !account.chosen.isBasic) ? account.chosen.actNm : null}
          onClose={onClose}
          onSeeWaiting={onSeeWaiting}
          onSeeHoldings={onSeeHoldings}
          onSeeOthers={onSeeOthers}
          onWhy={onWhy}
        />
      </Suspense>
    );
  }

  return (
    <section role="dialog" aria-modal="true" aria-labelledby={titleId} className={styles.sheet}>
      <header className={styles.header}>
        <SheetTitle id={titleId} title={title} />
        <button type="button" className={styles.close} aria-label={action.close} onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <PriceLine live={live} warnCode={item.warnCode} />
      <BestPrices live={live} />
      {terms.data && (
        <OrderPad
          memberSid={memberSid}
          changed={changed}
          item={item}
          side={side}
          account={account}
          terms={terms.data}
          isSwitching={terms.isPlaceholderData && account.chosen !== null && account.chosen.number !== terms.data.acno}
          termsPrice={terms.isPlaceholderData ? undefined : askedPrice}
          live={live}
          onLimitPrice={setLimitPrice}
          isSending={attempt.isSending}
          isInterrupted={outcome !== null || attempt.isRetrying}
          onConfirm={(draft) => {
            if (changed === null) rememberAccount(memberSid, category, draft.acno);
            attempt.submit(changed ? modifyBody(memberSid, changed, draft) : placeBody(memberSid, category, draft));
          }}
        />
      )}
      {terms.isPending && (terms.fetchStatus === 'paused' ? <ErrorState body={orderCopy.offline} /> : <PadSkeleton />)}
      {terms.isError && !terms.data && <ErrorState error={terms.error} body={isOnline ? undefined : orderCopy.offline} onRetry={() => void terms.refetch()} />}
      <Suspense fallback={null}>
        <OrderFailure isChange={changed !== null} outcome={outcome} isRetrying={attempt.isRetrying} onRetry={attempt.sendAgain} onDismiss={attempt.dismiss} />
      </Suspense>
    </section>
  );
}

function SheetTitle({ id, title }: { id: string; title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    announceScreen(title);
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <h1 ref={heading} id={id} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
  );
}

function PadSkeleton() {
  return (
    <div aria-hidden="true" className={styles.skeleton}>
      <Bone width="100%" height={40} radius={12} />
      <Bone width="60%" height={40} />
      <Bone width="100%" height={44} />
    </div>
  );
}
