import { communityCopy } from '@/features/community/copy';
import { editorCopy } from '@/features/community/copy.editor';
import { type PostCategory, WRITABLE } from '@/features/community/types';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import styles from './Editor.module.css';

/** Where a post belongs. Notices are the operator's alone, who keeps them as they are. */
export function CategoryField({ value, onChange }: { value: PostCategory; onChange: (category: PostCategory) => void }) {
  if (value === 'NOTICE') return null;
  return (
    <div className={styles.wide}>
      <ChoiceChips<PostCategory> label={editorCopy.category} values={WRITABLE} names={communityCopy.category} value={value} onChange={onChange} />
    </div>
  );
}
