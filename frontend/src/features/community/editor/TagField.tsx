import { type ReactNode, useState } from 'react';
import { editorCopy } from '@/features/community/copy.editor';
import { Button } from '@/shared/ui/Button';
import { Checkbox } from '@/shared/ui/Checkbox';
import { CloseIcon } from '@/shared/ui/icons';
import type { PickerProps } from './Editor';
import styles from './Editor.module.css';
import { MOST_TAGS, type Writing } from './writing';

interface TagFieldProps {
  writing: Writing;
  onChange: (change: Partial<Writing>) => void;
  pickerOf: (props: PickerProps) => ReactNode;
}

/** The instruments a post is about: chosen by searching, or offered for what is typed after `$`. */
export function TagField({ writing: { content, tags, showsHeld }, onChange, pickerOf }: TagFieldProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const typed = typedTag(content, tags);
  const isFull = tags.length >= MOST_TAGS;
  const add = (item: { code: string; name: string }) => {
    setAsked(null);
    if (!tags.some(({ code }) => code === item.code)) onChange({ tags: [...tags, item] });
  };
  return (
    <section className={styles.tags} aria-label={editorCopy.tags}>
      {tags.length > 0 && (
        <ul className={styles.picked}>
          {tags.map(({ code, name }) => (
            <li key={code} className={styles.pickedTag}>
              {`$${name}`}
              <button type="button" className={styles.removeTag} aria-label={editorCopy.removeTag(name)} onClick={() => onChange({ tags: tags.filter((tag) => tag.code !== code) })}>
                <CloseIcon size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className={styles.counter}>{editorCopy.tagLimit(MOST_TAGS)}</p>
      ) : (
        <Button tone="neutral" onClick={() => setAsked(typed ?? '')}>
          {typed === null ? editorCopy.addTag : editorCopy.addTyped(typed)}
        </Button>
      )}
      {tags.length > 0 && (
        <Checkbox checked={showsHeld} onChange={(on) => onChange({ showsHeld: on })}>
          {editorCopy.showHeld}
        </Checkbox>
      )}
      {pickerOf({ open: asked !== null, text: asked ?? '', onPick: add, onClose: () => setAsked(null) })}
    </section>
  );
}

/** The last `$name` of the text that is no tag yet; null without one. */
function typedTag(content: string, tags: Writing['tags']): string | null {
  const names = [...content.matchAll(/\$([^\s$]{1,20})/g)].flatMap(([, name]) => name ?? []);
  return names.findLast((name) => !/^[\d.,]+$/.test(name) && !tags.some((tag) => name.startsWith(tag.name))) ?? null;
}
