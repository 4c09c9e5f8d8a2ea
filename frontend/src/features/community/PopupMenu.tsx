import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MoreIcon } from '@/shared/ui/laterIcons';
import { useOverlayEntry } from '@/shared/ui/overlayHistory';
import styles from './Community.module.css';
import menu from './Menu.module.css';

interface PopupMenuProps {
  label: string;
  items: readonly { label: string; onSelect: () => void; isDanger?: boolean }[];
}

/** A button with a small menu below it. Arrow keys move in it; Esc, back and a tap elsewhere close it. */
export function PopupMenu({ label, items }: PopupMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useOverlayEntry(isOpen, () => setOpen(false));

  useEffect(() => {
    if (!isOpen) return undefined;
    place.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const next = targetIndex(event.key, at, entries.length);
    if (next !== null) {
      event.preventDefault();
      entries[next]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      opener.current?.focus();
      setOpen(false);
    }
  };

  return (
    <div ref={place} className={menu.popupPlace}>
      <button ref={opener} type="button" className={styles.menuButton} aria-haspopup="menu" aria-expanded={isOpen} aria-label={label} onClick={() => setOpen(!isOpen)}>
        <MoreIcon size={20} />
      </button>
      {isOpen && (
        <div role="menu" tabIndex={-1} aria-label={label} className={menu.popup} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.isDanger ? menu.dangerItem : menu.popupItem}
              onClick={() => {
                opener.current?.focus();
                setOpen(false);
                item.onSelect();
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function targetIndex(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
