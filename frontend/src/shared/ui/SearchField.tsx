import type { Ref } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { CloseIcon, SearchIcon } from './icons';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/** A search box that reacts to typing alone: Enter while composing a Korean syllable must do nothing. */
export function SearchField({ label, placeholder, value, onChange, ref }: SearchFieldProps) {
  return (
    <form role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
      <SearchIcon size={20} />
      <input
        ref={ref}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== '' && (
        <button type="button" className={styles.clear} aria-label={action.clear} onClick={() => onChange('')}>
          <CloseIcon size={18} />
        </button>
      )}
    </form>
  );
}
