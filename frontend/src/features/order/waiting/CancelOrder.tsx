import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiProblem, isProblem } from '@/shared/api/apiProblem';
import { categoryOf } from '@/shared/api/assets';
import { queryKeys } from '@/shared/api/queryKeys';
import { newRequestId } from '@/shared/api/requestId';
import type { Order } from '@/shared/api/types';
import { unitOf } from '@/shared/copy/copy.units';
import { isMissing, quantity } from '@/shared/format/number';
import { price as priceText } from '@/shared/format/price';
import { isAboutThisSend } from '@/shared/money/isAboutThisSend';
import { haptic } from '@/shared/platform/haptics';
import { Dialog } from '@/shared/ui/Dialog';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { orderCanceled, waitingCopy } from '@/features/order/copy';
import { cancelBody } from '@/features/order/rules/orderBodies';
import { postOrder } from '@/features/order/orderApi';
import { sideOfRow } from '@/features/order/rules/orderSides';

interface CancelOrderProps {
  memberSid: number;
  /** The order to cancel; null closes the dialog. */
  order: Order | null;
  onClose: () => void;
}

// The request ids of cancellations whose reply was lost: a retry repeats the first request, even after leaving the screen.
const unresolved = new Map<number, string>();

/** Confirms and cancels. Whatever the outcome, the list is refetched; an order that was filled first says so. */
export function CancelOrder({ memberSid, order, onClose }: CancelOrderProps) {
  const queryClient = useQueryClient();
  const isInFlight = useRef(false);
  const cancel = useMutation({
    mutationFn: ({ target, reqSid }: { target: Order; reqSid: string }) =>
      postOrder(categoryOf(target.marketCode), { ...cancelBody(memberSid, target), reqSid }),
    networkMode: 'always',
    retry: 0,
    onSuccess: (_reply, { target }) => {
      unresolved.delete(target.orderSid);
      haptic('success');
      showSnackbar(orderCanceled(target.isuKorNm, sideOfRow(target.side)));
    },
    onError: (error, { target, reqSid }) => {
      const isUnknown = isUndecided(error, unresolved.get(target.orderSid) === reqSid);
      if (isUnknown) unresolved.set(target.orderSid, reqSid);
      else unresolved.delete(target.orderSid);
      haptic('error');
      showSnackbar(isUnknown ? waitingCopy.unknown : rejectionOf(error));
    },
    onSettled: () => {
      isInFlight.current = false;
      onClose();
      void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
    },
  });

  return (
    <Dialog
      open={order !== null}
      title={waitingCopy.cancelQuestion}
      body={order && `${order.isuKorNm}\n${takenBack(order)}`}
      onClose={onClose}
      confirm={{
        label: waitingCopy.cancel,
        tone: 'danger',
        busy: cancel.isPending,
        onClick: () => {
          if (!order || isInFlight.current) return;
          isInFlight.current = true;
          cancel.mutate({ target: order, reqSid: unresolved.get(order.orderSid) ?? newRequestId() });
        },
      }}
    />
  );
}

function takenBack(order: Order): string {
  const qty = quantity(order.remainQty) + unitOf(order.orderCategory);
  const price = isMissing(order.juPrc) ? waitingCopy.market : priceText(order.juPrc, order.currency);
  return waitingCopy.canceled(sideOfRow(order.side), qty, price);
}

function isUndecided(error: unknown, wasSent: boolean): boolean {
  if (!(error instanceof ApiProblem) || error.isOutcomeUnknown || error.reason === 'REQ_SID_IN_PROGRESS') return true;
  return wasSent && isAboutThisSend(error);
}

function rejectionOf(error: Error): string {
  if (error.message !== '') return error.message;
  return isProblem(error, 'ORDER_ALREADY_FILLED') ? waitingCopy.alreadyFilled : waitingCopy.failed;
}
