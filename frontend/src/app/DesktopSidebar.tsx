import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { claimedPlatform } from '@/shared/platform/detectPlatform';

const PhoneInvitation = lazy<ComponentType<{ href: string }>>(() =>
  import(/* webpackChunkName: "sidebar" */ '@/features/desktop/PhoneInvitation').then(
    ({ PhoneInvitation: Loaded }) => ({ default: Loaded }),
    // Without it the frame is shown alone.
    () => ({ default: () => null }),
  ),
);

const WIDE = '(min-width: 900px)';

/** The sidebar next to the frame on a wide screen. Phones and native shells do not load it. */
export function DesktopSidebar() {
  const isWide = useIsWide();
  // Renders again when the address changes.
  useLocation();
  if (!isWide || claimedPlatform(navigator.userAgent) !== null) return null;
  return (
    <Suspense fallback={null}>
      <PhoneInvitation href={window.location.href} />
    </Suspense>
  );
}

function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(() => {
    const query = window.matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isWide;
}
