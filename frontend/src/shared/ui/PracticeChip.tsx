import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { realtime } from '@/shared/copy/copy.shared';
import { Chip } from './Chip';
import styles from './PracticeChip.module.css';
import type { PracticeSheetProps } from './PracticeSheet';
import { useWasOpened } from './useWasOpened';

const PracticeSheet = lazy<ComponentType<PracticeSheetProps>>(() =>
  // Offline it may be missing; a note below the prices says the most important part.
  import(/* webpackChunkName: "prompts" */ './PracticeSheet').catch(() => ({ default: () => null })),
);

/** The permanent label next to prices that are not the real market's. A tap explains it. */
export function PracticeChip() {
  const { simulated, clock } = useRuntimeConfig();
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  if (!simulated && clock !== 'replay') return null;
  return (
    <>
      <button type="button" className={styles.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Chip>{realtime.practice}</Chip>
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <PracticeSheet open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
