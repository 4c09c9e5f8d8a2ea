import { type ComponentType, useEffect, useState } from 'react';
import { claimedPlatform } from '@/shared/platform/detectPlatform';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';

/** Loads the background services once the first screen is up. */
export function LazyBackgroundServices() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isCancelled = false;
    const load = () => {
      import(/* webpackChunkName: "background" */ './BackgroundServices').then(
        ({ BackgroundServices }) => {
          if (!isCancelled) setLoaded(() => BackgroundServices);
        },
        // The screens work without them; the next connection or visit tries again.
        () => {
          if (!isCancelled) window.addEventListener('online', load, { once: true });
        },
      );
    };
    // Loaded at once in a native shell, which waits for a message, and offline, where restored data is all there is to show.
    const isAwaited = !navigator.onLine || claimedPlatform(navigator.userAgent) !== null;
    const cancel = isAwaited ? load() : whenPageIdle(load);
    return () => {
      isCancelled = true;
      window.removeEventListener('online', load);
      cancel?.();
    };
  }, []);
  return Loaded && <Loaded />;
}
