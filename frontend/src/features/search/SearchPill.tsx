import { lazy, Suspense, useState } from 'react';
import type { Category } from '@/shared/api/queryKeys';
import { given } from '@/shared/copy/copy.given';
import { SearchIcon } from '@/shared/ui/icons';
import { search } from './copy';
import styles from './SearchPill.module.css';

const SearchOverlay = lazy(() =>
  import(/* webpackChunkName: "search" */ './SearchOverlay').then((module) => ({ default: module.SearchOverlay })),
);

/** Looks like a search box and opens the search. */
export function SearchPill({ category }: { category: Category }) {
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
        {given.searchPlaceholder(search[category])}
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <SearchOverlay open={isOpen} initialKind={category} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
