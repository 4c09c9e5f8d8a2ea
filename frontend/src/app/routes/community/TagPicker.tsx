import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { editorCopy } from '@/features/community/copy.editor';
import type { PickerProps } from '@/features/community/editor/Editor';
import styles from '@/features/community/editor/Editor.module.css';
import { search } from '@/features/search/copy';
import { searchQuery } from '@/features/search/searchQueries';
import { INSTRUMENT_KINDS, type InstrumentKind } from '@/shared/api/assets';
import { popularItemsQuery } from '@/shared/api/popularItems';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { state } from '@/shared/copy/copy.shared';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { SearchField } from '@/shared/ui/SearchField';
import { Sheet } from '@/shared/ui/Sheet';
import { useIsOnline } from '@/shared/ui/States';
import { useDebounced } from '@/shared/ui/useDebounced';

const DEBOUNCE_MS = 300;

/** Finds an instrument to tag, with the same search as the lists; popular ones before anything is typed. */
export function TagPicker({ open, text: begin, onPick, onClose }: PickerProps) {
  const [kind, setKind] = useState<InstrumentKind>('stock');
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!open) return;
    setText(begin);
    field.current?.focus();
  }, [open, begin]);
  const debounced = useDebounced(text.trim(), DEBOUNCE_MS);
  const pick = ({ isuSrtCd, isuKorNm }: Item) => onPick({ code: isuSrtCd, name: isuKorNm });
  return (
    <Sheet full open={open} title={editorCopy.picker} onClose={onClose}>
      <div className={styles.picker}>
        <SearchField ref={field} label={editorCopy.picker} placeholder={given.searchPlaceholder(search[kind])} value={text} onChange={setText} />
        <div className={styles.wide}>
          <ChoiceChips<InstrumentKind> label={editorCopy.pickerKinds} values={INSTRUMENT_KINDS} names={search} value={kind} onChange={setKind} />
        </div>
        {/* The first letter switches the view at once; the search is debounced. */}
        {text.trim() === '' ? <Popular kind={kind} onPick={pick} /> : <Found kind={kind} text={debounced} onPick={pick} />}
      </div>
    </Sheet>
  );
}

interface ListProps {
  kind: InstrumentKind;
  onPick: (item: Item) => void;
}

function Popular({ kind, onPick }: ListProps) {
  const { data } = useQuery(popularItemsQuery(kind, useMemberSid()));
  return <Items items={data} onPick={onPick} />;
}

function Found({ kind, text, onPick }: ListProps & { text: string }) {
  const isOnline = useIsOnline();
  const { data } = useInfiniteQuery(searchQuery(kind, text));
  const items = data?.pages.flat();
  if (!items && !isOnline) return <p className={styles.nothing}>{state.offlineBlocked}</p>;
  if (items?.length === 0) return <p className={styles.nothing}>{editorCopy.noItems(text)}</p>;
  return <Items items={items} onPick={onPick} />;
}

function Items({ items = [], onPick }: { items: readonly Item[] | undefined; onPick: (item: Item) => void }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.isuSrtCd}>
          <button type="button" className={styles.found} onClick={() => onPick(item)}>
            {item.isuKorNm}
            <span className={styles.foundCode}>{item.isuSrtCd}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
