import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { Sheet } from '@/shared/ui/Sheet';
import styles from './Article.module.css';
import { articleCopy } from './copy';
import { READER_SIZES, type ReaderSize } from './readingMemory';

export function TextSizeIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 19 8.5 5 14 19M5 14.5h7M15 19l3.5-8.5L22 19m-5.8-3h4.6" />
    </svg>
  );
}

interface TextSizeSheetProps {
  open: boolean;
  size: ReaderSize;
  onSize: (size: ReaderSize) => void;
  onClose: () => void;
}

/** Chooses the size of the text of all articles on this device. */
export function TextSizeSheet({ open, size, onSize, onClose }: TextSizeSheetProps) {
  return (
    <Sheet open={open} title={articleCopy.textSize} onClose={onClose}>
      <div className={styles.sizes}>
        <ChoiceChips label={articleCopy.textSize} values={READER_SIZES} names={articleCopy.sizes} value={size} onChange={onSize} />
      </div>
    </Sheet>
  );
}
