import { type ComponentType, useEffect, useState } from 'react';
import { claimedPlatform } from '@/shared/platform/detectPlatform';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';

/** Files may also fail to load while the phone says that it is online. */
const RETRY_AFTER_MS = 15_000;

/** Loads the background services once the first screen is up. */
export function LazyBackgroundServices() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isCancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopWaiting = () => {
      clearTimeout(timer);
      window.removeEventListener('online', load);
    };
    const load = () => {
      stopWaiting();
      import(/* webpackChunkName: "background" */ './BackgroundServices').then(
        ({ BackgroundServices }) => {
          if (!isCancelled) setLoaded(() => BackgroundServices);
        },
        // The screens work without them, but a logout that is not sent yet waits for them. The event of a connection comes once,
        // possibly before the connection works.
        () => {
          if (isCancelled) return;
          window.addEventListener('online', load);
          timer = setTimeout(load, RETRY_AFTER_MS);
        },
      );
    };
    // Loaded at once in a native shell, which waits for a message, and offline, where restored data is all there is to show.
    const isAwaited = !navigator.onLine || claimedPlatform(navigator.userAgent) !== null;
    const cancel = isAwaited ? load() : whenPageIdle(load);
    return () => {
      isCancelled = true;
      stopWaiting();
      cancel?.();
    };
  }, []);
  return Loaded && <Loaded />;
}
