import { useEffect, useRef } from 'react';
import type { Item } from '@/shared/api/types';
import { money } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { entryValue } from '@/shared/ui/amountEntry';
import { announce } from '@/shared/ui/screenAnnouncer';
import { orderCopy } from '@/features/order/copy';
import { entryIn, type OrderForm } from './orderForm';

const ANNOUNCE_DELAY_MS = 500;

/** Announces the typed amount to screen readers after a pause. */
export function useAmountAnnouncement(form: OrderForm, item: Item): void {
  const value = entryValue(entryIn(form, form.field));
  const field = form.field === 'price' ? 'price' : form.measure;
  const text = { price: price(value, item.currency), qty: quantity(value) + item.unit, amount: money(value, 'KRW') }[field];
  const spoken = value === null ? '' : `${orderCopy[field]} ${text}`;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const timer = setTimeout(() => announce(spoken), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [spoken]);
}
