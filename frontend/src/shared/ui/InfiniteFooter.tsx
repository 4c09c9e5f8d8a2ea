import { useEffect, useRef } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { Button } from './Button';
import styles from './InfiniteFooter.module.css';

const LOAD_AHEAD = '600px';

interface InfiniteFooterProps {
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

/** The end of a list: loads the next page when it comes near or by its button, and announces the last. */
export function InfiniteFooter({ hasMore, isLoading, onMore }: InfiniteFooterProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    const element = sentinel.current;
    if (!element || !hasMore || isLoading || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more.current();
      },
      { rootMargin: LOAD_AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, isLoading]);

  return (
    <div ref={sentinel} className={styles.footer}>
      {hasMore ? (
        <Button tone="neutral" busy={isLoading} onClick={onMore}>
          {action.more}
        </Button>
      ) : (
        <p role="status">{action.end}</p>
      )}
    </div>
  );
}
