import styles from './Community.module.css';
import { postCopy } from './copy';
import type { WritingStatus } from './types';

/** Tells the author of a text why nobody else sees it. */
export function StatusNotice({ status }: { status: WritingStatus }) {
  if (status === 'PUBLISHED') return null;
  const isHeld = status === 'HELD';
  return (
    <p className={styles.notice}>
      <strong>{isHeld ? postCopy.held : postCopy.hidden}</strong> {isHeld ? postCopy.heldBody : postCopy.hiddenBody}
    </p>
  );
}
