import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { given } from '@/shared/copy/copy.given';
import { itemHref } from '@/shared/paths';
import { Button } from '@/shared/ui/Button';
import { ItemRow } from '@/shared/ui/ItemRow';
import { useReplaceOverlayLinks } from '@/shared/ui/overlayHistory';
import { announce } from '@/shared/ui/screenAnnouncer';
import { SearchField } from '@/shared/ui/SearchField';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState } from '@/shared/ui/States';
import { Tabs } from '@/shared/ui/Tabs';
import { action } from '@/shared/copy/copy.shared';
import { search } from './copy';
import styles from './SearchOverlay.module.css';
import { type SearchKind, searchQuery } from './searchQueries';
import { useDebounced } from './useDebounced';

const SETTLE_MS = 300;
const PANEL_ID = 'search-results';
const KINDS: readonly { value: SearchKind; label: string }[] = [
  { value: 'stock', label: search.stock },
  { value: 'etf', label: search.etf },
  { value: 'coin', label: search.coin },
  { value: 'gold', label: search.gold },
];

interface SearchOverlayProps {
  open: boolean;
  initialKind: SearchKind;
  onClose: () => void;
}

/** Finds instruments by name, code or initial consonants, over the whole frame. */
export function SearchOverlay({ open, initialKind, onClose }: SearchOverlayProps) {
  const [kind, setKind] = useState<SearchKind>(initialKind);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (open) field.current?.focus();
    else setText('');
  }, [open]);

  return (
    <Sheet full open={open} title={search.title} onClose={onClose}>
      <div className={styles.top}>
        <SearchField
          ref={field}
          label={search.title}
          placeholder={given.searchPlaceholder(search[kind])}
          value={text}
          onChange={setText}
        />
        <div className={styles.tabs}>
          <Tabs label={search.tabs} options={KINDS} value={kind} onChange={setKind} panelId={PANEL_ID} />
        </div>
      </div>
      <div id={PANEL_ID} role="tabpanel" aria-label={search[kind]}>
        <Results kind={kind} text={text} />
      </div>
    </Sheet>
  );
}

function Results({ kind, text }: { kind: SearchKind; text: string }) {
  const settled = useDebounced(text.trim(), SETTLE_MS);
  const { data, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(searchQuery(kind, settled));
  const onRowClick = useReplaceOverlayLinks();
  const items = data?.pages.flat();
  const count = items?.length;

  useEffect(() => {
    if (count !== undefined) announce(search.count(count));
  }, [count, settled]);

  if (settled === '') return <p className={styles.hint}>{search.hint}</p>;
  if (!items) return <RowsSkeleton rows={6} />;
  if (items.length === 0) return isFetching ? <RowsSkeleton rows={6} /> : <EmptyState title={given.searchEmpty(settled)} />;
  return (
    <>
      {/* The links inside are what is operated; this only makes them replace the overlay's history entry. */}
      { }
      <ul className={styles.rows} onClickCapture={onRowClick}>
        {items.map((item) => (
          <li key={item.isuSrtCd}>
            <ItemRow item={item} to={itemHref(item)} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button tone="neutral" block busy={isFetching} onClick={() => void fetchNextPage()}>
          {action.more}
        </Button>
      )}
    </>
  );
}
