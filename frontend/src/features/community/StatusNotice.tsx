import { lazy, Suspense } from 'react';
import { useMemberSid } from '@/shared/api/session';
import styles from './Community.module.css';
import { postCopy } from './copy';
import type { TextName, WritingStatus } from './types';

// Nearly nobody's text is hidden.
const HidingNotice = lazy(() => import(/* webpackChunkName: "community-hiding" */ './HidingNotice').then(({ HidingNotice: Loaded }) => ({ default: Loaded })));

interface StatusNoticeProps {
  status: WritingStatus;
  /** Of which the author can read why it is hidden. */
  text?: TextName;
}

/** Tells the author of a text why nobody else sees it. */
export function StatusNotice({ status, text }: StatusNoticeProps) {
  const memberSid = useMemberSid();
  if (status === 'PUBLISHED') return null;
  const isHeld = status === 'HELD';
  const short = (
    <p className={styles.notice}>
      <strong>{isHeld ? postCopy.held : postCopy.hidden}</strong> {isHeld ? postCopy.heldBody : postCopy.hiddenBody}
    </p>
  );
  if (isHeld || !text || memberSid === null) return short;
  return (
    <Suspense fallback={short}>
      <HidingNotice memberSid={memberSid} text={text} />
    </Suspense>
  );
}
