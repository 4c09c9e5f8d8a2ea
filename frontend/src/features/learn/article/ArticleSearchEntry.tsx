import { lazy, Suspense } from 'react';
import { useWasOpened } from '@/shared/ui/useWasOpened';

const ArticleSearch = lazy(() =>
  import(/* webpackChunkName: "learn-overlays" */ './ArticleSearch').then(({ ArticleSearch: Loaded }) => ({ default: Loaded })),
);

/** The search of articles, whose code is loaded when it is first opened. */
export function ArticleSearchEntry({ open, onClose }: { open: boolean; onClose: () => void }) {
  const wasOpened = useWasOpened(open);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ArticleSearch open={open} onClose={onClose} />
    </Suspense>
  );
}
