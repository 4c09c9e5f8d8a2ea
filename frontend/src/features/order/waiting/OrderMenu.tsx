import { type KeyboardEvent, useRef } from 'react';
import type { Order } from '@/shared/api/types';
import { Sheet } from '@/shared/ui/Sheet';
import { waitingCopy } from '@/features/order/copy';
import { isModifiable } from '@/features/order/rules/orderByAmount';
import styles from './WaitingOrders.module.css';

interface OrderMenuProps {
  /** The order of the menu; null closes it. */
  order: Order | null;
  onModify: (order: Order) => void;
  onCancel: (order: Order) => void;
  onClose: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function OrderMenu({ order, onModify, onCancel, onClose }: OrderMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const current = entries.findIndex((entry) => entry === document.activeElement);
    entries[(current + step + entries.length) % entries.length]?.focus();
  };
  return (
    <Sheet open={order !== null} title={order?.isuKorNm ?? waitingCopy.screen} onClose={onClose}>
      <div ref={menu} role="menu" tabIndex={-1} aria-label={waitingCopy.screen} className={styles.entries} onKeyDown={onKeyDown}>
        {order !== null && isModifiable(order) && (
          <button type="button" role="menuitem" className={styles.entry} onClick={() => onModify(order)}>
            {waitingCopy.modifyShort}
          </button>
        )}
        <button type="button" role="menuitem" className={`${styles.entry} ${styles.danger}`} onClick={() => order && onCancel(order)}>
          {waitingCopy.cancelShort}
        </button>
      </div>
    </Sheet>
  );
}
