import { create } from 'zustand';
import { onSessionChange } from '@/shared/api/session';

const useReceiptStore = create<{ orderSid: number | null }>(() => ({ orderSid: null }));

/** Opens the receipt of an order above the current screen. */
export function showReceipt(orderSid: number): void {
  useReceiptStore.setState({ orderSid });
}

export function hideReceipt(): void {
  useReceiptStore.setState({ orderSid: null });
}

// The receipt belongs to the previous member.
onSessionChange(hideReceipt);

export function useReceiptOrder(): number | null {
  return useReceiptStore((state) => state.orderSid);
}
