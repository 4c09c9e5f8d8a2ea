import { useEffect, useRef } from 'react';
import type { Item } from '@/shared/api/types';
import { money } from '@/shared/format/money';
import { quantity } from '@/shared/format/number';
import { entryValue } from '@/shared/ui/amountEntry';
import { announce } from '@/shared/ui/screenAnnouncer';
import { orderCopy } from './copy';
import type { OrderForm } from './orderForm';

const SAY_AFTER_MS = 500;

/** Says the amount being typed once the fingers rest. */
export function useSpokenAmount(form: OrderForm, item: Item): void {
  const value = entryValue(form[form.field]);
  const text = form.field === 'qty' ? quantity(value) + item.unit : money(value, item.currency);
  const spoken = value === null ? '' : `${orderCopy[form.field]} ${text}`;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const timer = setTimeout(() => announce(spoken), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [spoken]);
}
