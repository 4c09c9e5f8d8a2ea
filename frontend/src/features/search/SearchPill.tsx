import { type ComponentType, Suspense, useState } from 'react';
import { given } from '@/shared/copy/copy.given';
import { SearchIcon } from '@/shared/ui/icons';
import { search } from './copy';
import type { SearchKind } from './searchKinds';
import type { SearchOverlayProps } from './SearchOverlay';
import styles from './SearchPill.module.css';

interface SearchPillProps {
  kind: SearchKind;
  /** The overlay, loaded at the first tap. */
  overlay: ComponentType<SearchOverlayProps>;
}

/** A button styled as a search box. */
export function SearchPill({ kind, overlay: Overlay }: SearchPillProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.pill}
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <SearchIcon size={20} />
        {given.searchPlaceholder(search[kind])}
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <Overlay open={isOpen} openedFor={kind} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
