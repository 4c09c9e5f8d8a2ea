import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '@/shared/ui/Button';
import { announce } from '@/shared/ui/screenAnnouncer';
import { search } from './copy';
import { SEARCH_KINDS, type SearchKind } from './searchKinds';
import { PAGE_SIZE, productSearchQuery, searchQuery } from './searchQueries';
import styles from './SearchOverlay.module.css';

interface FoundElsewhereProps {
  /** The kind without results. */
  kind: SearchKind;
  text: string;
  onKind: (kind: SearchKind) => void;
}

/** The result counts of the other kinds, each a tap away. Kinds without results, and failed ones, are left out. */
export function FoundElsewhere({ kind, text, onKind }: FoundElsewhereProps) {
  const pages: Record<SearchKind, readonly (readonly unknown[])[] | undefined> = {
    product: useInfiniteQuery(productSearchQuery(text)).data?.pages,
    stock: useInfiniteQuery(searchQuery('stock', text)).data?.pages,
    etf: useInfiniteQuery(searchQuery('etf', text)).data?.pages,
    coin: useInfiniteQuery(searchQuery('coin', text)).data?.pages,
    gold: useInfiniteQuery(searchQuery('gold', text)).data?.pages,
  };
  const sentences = SEARCH_KINDS.flatMap((other) => {
    const found = other === kind ? 0 : (pages[other]?.[0]?.length ?? 0);
    return found === 0 ? [] : [{ other, sentence: search.foundIn(search[other], found, found === PAGE_SIZE) }];
  });
  const spoken = sentences.map(({ sentence }) => sentence).join(', ');
  useEffect(() => {
    if (spoken !== '') announce(spoken);
  }, [spoken]);
  if (sentences.length === 0) return null;
  return (
    <ul className={styles.elsewhere}>
      {sentences.map(({ other, sentence }) => (
        <li key={other}>
          <Button tone="neutral" onClick={() => onKind(other)}>
            {sentence}
          </Button>
        </li>
      ))}
    </ul>
  );
}
