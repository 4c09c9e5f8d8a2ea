import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useCompetes } from '@/shared/api/memberQuery';
import { given } from '@/shared/copy/copy.given';
import { listHref } from '@/shared/paths';
import { useNavigateFromOverlay, useReplaceOverlayLinks } from '@/shared/ui/overlayHistory';
import { SearchField } from '@/shared/ui/SearchField';
import { Sheet } from '@/shared/ui/Sheet';
import { Tabs } from '@/shared/ui/Tabs';
import { search } from './copy';
import type { FoundRows } from './FoundList';
import { PopularSearches } from './PopularSearches';
import { RecentSearches } from './RecentSearches';
import { Results } from './Results';
import { isInCompetitions, SEARCH_KINDS, type SearchKind, useSearchKind } from './searchKinds';
import { useSearchHistory } from './searchHistory';
import styles from './SearchOverlay.module.css';
import { useDebounced } from '@/shared/ui/useDebounced';

const DEBOUNCE_MS = 300;
const PANEL_ID = 'search-results';
const TABS = SEARCH_KINDS.map((value) => ({ value, label: search[value] }));
const COMPETITION_TABS = TABS.filter(({ value }) => isInCompetitions(value));

export interface SearchOverlayProps {
  open: boolean;
  /** The kind of the screen below. */
  openedFor: SearchKind;
  onClose: () => void;
}

/** Searches instruments and products by name, code or initial consonants, on the whole frame. */
export function SearchOverlay({ open, openedFor, onClose, ...rows }: SearchOverlayProps & FoundRows) {
  const competes = useCompetes();
  const [chosen, setKind] = useSearchKind(openedFor);
  const kind = competes && !isInCompetitions(chosen) ? 'stock' : chosen;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const debounced = useDebounced(text.trim(), DEBOUNCE_MS);
  const history = useSearchHistory(kind);
  const close = useClose(kind, onClose);
  const replaceEntry = useReplaceOverlayLinks();
  // The first letter switches the view at once; the search is debounced.
  const asked = text.trim() === '' ? '' : debounced;

  useEffect(() => {
    if (open) field.current?.focus();
    else setText('');
  }, [open]);

  const showKind = (next: SearchKind) => {
    setKind(next);
    // The button that led here is removed; the focus moves to its results.
    panel.current?.focus();
  };

  const onRowClick = (event: MouseEvent) => {
    const isRow = event.target instanceof Element && event.target.closest('a') !== null;
    if (isRow && asked !== '') history.note(asked);
    replaceEntry(event);
  };

  return (
    <Sheet full open={open} title={search.title} onClose={close}>
      <div className={styles.top}>
        <SearchField
          ref={field}
          label={search.title}
          placeholder={given.searchPlaceholder(search[kind])}
          value={text}
          onChange={setText}
        />
        <div className={styles.tabs}>
          <Tabs label={search.tabs} options={competes ? COMPETITION_TABS : TABS} value={kind} onChange={setKind} panelId={PANEL_ID} />
        </div>
      </div>
      {/* Makes the links inside replace the overlay's history entry; it is no control itself. */}
      <div ref={panel} id={PANEL_ID} className={styles.panel} role="tabpanel" tabIndex={-1} aria-label={search[kind]} onClickCapture={onRowClick}>
        {text.trim() === '' && (
          <>
            <RecentSearches
              texts={history.texts}
              onPick={(picked) => {
                setText(picked);
                field.current?.focus();
              }}
              onForget={history.forget}
              onForgetAll={history.forgetAll}
            />
            <PopularSearches key={kind} kind={kind} {...rows} />
          </>
        )}
        {asked !== '' && <Results kind={kind} text={asked} onKind={showKind} {...rows} />}
      </div>
    </Sheet>
  );
}

/** Closing leads to the list of the chosen kind, unless that is shown already or the address has further parameters. */
function useClose(kind: SearchKind, onClose: () => void): () => void {
  const location = useLocation();
  const navigate = useNavigateFromOverlay();
  return () => {
    const list = listHref(kind);
    if (location.search === '' && location.pathname !== list) navigate(list);
    onClose();
  };
}
