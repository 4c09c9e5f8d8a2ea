import { type ComponentType, useEffect, useState } from 'react';
import { whenQuiet } from './whenQuiet';

/** What accompanies every screen and is needed by no first paint. It is fetched when the first screen is up. */
export function Companions() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isGone = false;
    const callOff = whenQuiet(() => {
      import(/* webpackChunkName: "companions" */ './CompanionSet').then(
        ({ CompanionSet }) => {
          if (!isGone) setLoaded(() => CompanionSet);
        },
        // Without them the screens still work; the next visit tries again.
        () => undefined,
      );
    });
    return () => {
      isGone = true;
      callOff();
    };
  }, []);
  return Loaded && <Loaded />;
}
