import { useId, useLayoutEffect, useRef } from 'react';
import { editorCopy } from '@/features/community/copy.editor';
import { unitless } from '@/shared/format/number';
import styles from './Editor.module.css';

/** From here on the remaining length is announced. */
const NEARLY = 0.9;

interface ContentFieldProps {
  value: string;
  /** As the server counts it. */
  length: number;
  limit: number;
  placeholder: string;
  onChange: (value: string) => void;
}

/** A text field that grows with its text, with a counter. Too long a text is kept, because cutting it breaks a syllable. */
export function ContentField({ value, length, limit, placeholder, onChange }: ContentFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [value]);
  const isTooLong = length > limit;
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {editorCopy.content}
      </label>
      {/* The rule does not follow htmlFor across siblings. */}
      {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
      <textarea
        ref={field}
        id={id}
        className={styles.content}
        value={value}
        placeholder={placeholder}
        rows={6}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-count`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-count`} className={isTooLong ? styles.tooLong : styles.counter}>
        {editorCopy.count(unitless(length), unitless(limit))}
      </p>
      <p role="status" className={isTooLong ? styles.tooLong : 'sr-only'}>
        {noteOf(length, limit)}
      </p>
    </div>
  );
}

function noteOf(length: number, limit: number): string {
  if (length > limit) return editorCopy.tooLong(unitless(limit));
  return length >= limit * NEARLY ? editorCopy.left(limit - length) : '';
}
