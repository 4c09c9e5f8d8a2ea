import { create } from 'zustand';
import { onSessionChange } from '@/shared/api/session';

const useReceiptStore = create<{ orderSid: number | null }>(() => ({ orderSid: null }));

/** Opens the explanation of an order's fills, over whatever screen is shown. */
export function showReceipt(orderSid: number): void {
  useReceiptStore.setState({ orderSid });
}

export function hideReceipt(): void {
  useReceiptStore.setState({ orderSid: null });
}

// It is of an order of the member before.
onSessionChange(hideReceipt);

/** The order whose receipt is open; null when none is. */
export function useReceiptOrder(): number | null {
  return useReceiptStore((state) => state.orderSid);
}
