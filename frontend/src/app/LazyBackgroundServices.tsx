import { type ComponentType, useEffect, useState } from 'react';
import { claimedPlatform } from '@/shared/platform/detectPlatform';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';

/** What accompanies every screen and is needed by no first paint. It is fetched when the first screen is up. */
export function LazyBackgroundServices() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isGone = false;
    const load = () => {
      import(/* webpackChunkName: "background" */ './BackgroundServices').then(
        ({ BackgroundServices }) => {
          if (!isGone) setLoaded(() => BackgroundServices);
        },
        // Without them the screens still work; a connection that comes back, or the next visit, tries again.
        () => {
          if (!isGone) window.addEventListener('online', load, { once: true });
        },
      );
    };
    // A native shell waits for a word from the page, and without a connection what was last known is all there is to show.
    const isAwaited = !navigator.onLine || claimedPlatform(navigator.userAgent) !== null;
    const cancel = isAwaited ? load() : whenPageIdle(load);
    return () => {
      isGone = true;
      window.removeEventListener('online', load);
      cancel?.();
    };
  }, []);
  return Loaded && <Loaded />;
}
