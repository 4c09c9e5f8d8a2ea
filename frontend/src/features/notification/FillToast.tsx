import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { unitOf } from '@/shared/copy/copy.units';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { usePreference } from '@/shared/platform/preferences';
import { onFill, onFillGap } from '@/shared/realtime/fills';
import { CheckIcon } from '@/shared/ui/icons';
import { useTopmostModal } from '@/shared/ui/useTopmostModal';
import { fillCopy } from './copy';
import { type FillNotice, NO_NOTICE, noticeOf, reduceNotice } from './fillNotice';
import { createAccountRefetcher } from './refetchAccount';
import styles from './FillToast.module.css';

const SHOWN_AT_LEAST_MS = 5_000;
/** Neither further fills nor a resting pointer keep a notice longer; the order history has every fill. */
const SHOWN_AT_MOST_MS = 10_000;

interface FillToastProps {
  /** Opens the receipt of an order. */
  onWhy: (orderSid: number) => void;
  /** Screens that show fills themselves suppress the toast. */
  isQuiet: boolean;
}

/** Shows a toast for filled orders on any screen and refetches balances, holdings and orders. Mounted once. */
export function FillToast({ onWhy, isQuiet }: FillToastProps) {
  const queryClient = useQueryClient();
  const [notices, setNotices] = useState(NO_NOTICE);
  const notice = notices.shown;
  const [isHeld, setHeld] = useState(false);
  const chosenMs = usePreference('noticeSeconds') * 1_000;
  const shownMs = Math.max(SHOWN_AT_LEAST_MS, chosenMs);
  const longestMs = Math.max(SHOWN_AT_MOST_MS, chosenMs);
  const quiet = useRef(isQuiet);
  useEffect(() => {
    quiet.current = isQuiet;
  });

  useEffect(() => {
    const { refetch, stop } = createAccountRefetcher(queryClient);
    const stopFills = onFill((event) => {
      refetch();
      const next = noticeOf(event);
      if (next === null || quiet.current) return;
      const nowMs = Date.now();
      setNotices((before) => reduceNotice(before, next, nowMs));
    });
    const stopGaps = onFillGap(refetch);
    return () => {
      stopFills();
      stopGaps();
      stop();
    };
  }, [queryClient]);

  // One haptic per notice, not one per update of its figures.
  const news = notice && `${String(notice.orderSid)} ${String(notice.sinceMs)} ${String(notice.remainQty === 0)}`;
  useEffect(() => {
    if (news !== null) haptic('success');
  }, [news]);

  const hide = useCallback(() => {
    setNotices((before) => ({ ...before, shown: null }));
    setHeld(false);
  }, []);

  useEffect(() => {
    if (notice === null) return;
    const leftMs = notice.sinceMs + longestMs - Date.now();
    const timer = setTimeout(hide, isHeld ? leftMs : Math.min(shownMs, leftMs));
    return () => clearTimeout(timer);
  }, [notice, isHeld, shownMs, longestMs, hide]);

  const container = useTopmostModal(notice !== null);
  return createPortal(
    <div role="status" className={styles.place} data-above={isPanel(container) || undefined}>
      {notice && (
        <button
          type="button"
          className={styles.toast}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          onClick={() => {
            hide();
            onWhy(notice.orderSid);
          }}
        >
          <span aria-hidden="true" className={styles.icon}>
            <CheckIcon size={20} />
          </span>
          <span className={styles.text}>
            <span className={styles.title}>
              {fillCopy.title(notice.name, notice.side, quantity(notice.qty) + unitOf(notice.category))}
            </span>
            <span className={styles.body}>{bodyOf(notice)}</span>
          </span>
          <span className={styles.why}>{fillCopy.why}</span>
        </button>
      )}
    </div>,
    container,
  );
}

// Above a panel there is room at the top of the screen. A page and a full-screen panel have their bar there.
function isPanel(container: HTMLElement): boolean {
  return container !== document.body && container.offsetHeight < window.innerHeight;
}

function bodyOf({ amountWon, remainQty, category }: FillNotice): string {
  const amount = won(amountWon);
  return remainQty > 0 ? fillCopy.partly(amount, quantity(remainQty) + unitOf(category)) : fillCopy.body(amount);
}
