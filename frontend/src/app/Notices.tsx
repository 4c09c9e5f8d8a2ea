import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { showReceipt } from '@/features/order/history/receiptStore';
import { useMemberSid } from '@/shared/api/session';

const FillToast = lazy(() =>
  import(/* webpackChunkName: "notices" */ '@/features/notification/FillToast').then(({ FillToast }) => ({ default: FillToast })),
);
const UnreadWatcher = lazy(() =>
  import(/* webpackChunkName: "notices" */ '@/features/notification/inbox/UnreadWatcher').then(({ UnreadWatcher }) => ({ default: UnreadWatcher })),
);
const ReceiptHost = lazy(() =>
  import(/* webpackChunkName: "notices" */ '@/features/order/history/ReceiptSheet').then(({ ReceiptHost }) => ({ default: ReceiptHost })),
);
const ReceiptTradeCards = lazy(() =>
  import(/* webpackChunkName: "trade-cards" */ '@/features/learn/card/ReceiptTradeCards').then(({ ReceiptTradeCards: Loaded }) => ({ default: Loaded })),
);
const UnresolvedOrders = lazy(() =>
  import(/* webpackChunkName: "notices" */ '@/features/order/UnresolvedOrders').then(({ UnresolvedOrders }) => ({
    default: UnresolvedOrders,
  })),
);

/** Fill notices, the count of unread notifications, receipts and the outcomes of unresolved orders; for members only. */
export function Notices() {
  const memberSid = useMemberSid();
  const { pathname } = useLocation();
  if (memberSid === null) return null;
  return (
    <Suspense key={memberSid} fallback={null}>
      {/* The order screen shows its own fills. */}
      <FillToast onWhy={showReceipt} isQuiet={pathname.startsWith('/order/')} />
      {/* After the toast, which gets the fills that came before. */}
      <UnreadWatcher memberSid={memberSid} />
      <ReceiptHost lesson={(orderSid) => <ReceiptTradeCards memberSid={memberSid} orderSid={orderSid} />} />
      <UnresolvedOrders memberSid={memberSid} />
    </Suspense>
  );
}
