import { lazy, Suspense } from 'react';
import { useWasOpened } from '@/shared/ui/useWasOpened';

const TermSheet = lazy(() => import(/* webpackChunkName: "learn-overlays" */ './TermSheet').then(({ TermSheet: Loaded }) => ({ default: Loaded })));

/** The explanation of a word, whose code is loaded when the first one is opened. */
export function TermSheetEntry({ word, onClose }: { word: string | null; onClose: () => void }) {
  const wasOpened = useWasOpened(word !== null);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <TermSheet word={word} onClose={onClose} />
    </Suspense>
  );
}
