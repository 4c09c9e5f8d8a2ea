import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { haptic } from '@/shared/platform/haptics';
import styles from './Tabs.module.css';

interface TabsProps<Value extends string> {
  /** The accessible name of the tabs. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  /** The id of the panel that the tabs switch. */
  panelId: string;
  /** A segmented bar for 2–5 short words, or scrolling chips. */
  look?: 'segmented' | 'chips';
}

/** The distance a chip keeps from the edge it was scrolled in from, so that the next one shows. */
const EDGE_PX = 40;

/** Tabs with a single tab stop; arrow keys move the selection. */
export function Tabs<Value extends string>({ label, options, value, onChange, panelId, look = 'segmented' }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);

  // The address may select a chip beyond the edge. Only the strip is scrolled, never the page. A strip with its first chip
  // selected needs no scrolling, and measuring it would delay the first frame.
  const isUnmoved = useRef(value === options[0]?.value);
  useLayoutEffect(() => {
    if (isUnmoved.current) {
      isUnmoved.current = false;
      return;
    }
    const strip = list.current;
    const chosen = strip?.querySelector('[aria-selected=true]');
    if (!strip || !chosen) return;
    const edges = strip.getBoundingClientRect();
    const chip = chosen.getBoundingClientRect();
    if (chip.right > edges.right) strip.scrollLeft += chip.right - edges.right + EDGE_PX;
    else if (chip.left < edges.left) strip.scrollLeft -= edges.left - chip.left + EDGE_PX;
  }, [value]);

  const choose = (next: Value) => {
    if (next === value) return;
    haptic('selection');
    onChange(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const current = options.findIndex((option) => option.value === value);
    const target = targetIndex(event.key, current, options.length);
    const option = target === null ? undefined : options[target];
    if (target === null || !option) return;
    event.preventDefault();
    choose(option.value);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };

  return (
    <div ref={list} role="tablist" aria-label={label} className={look === 'segmented' ? styles.segmented : styles.chips}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="tab"
          aria-selected={option.value === value}
          aria-controls={panelId}
          tabIndex={option.value === value ? 0 : -1}
          className={look === 'segmented' ? styles.segment : styles.chip}
          onClick={() => choose(option.value)}
          onKeyDown={onKeyDown}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

function targetIndex(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (current - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
