import { usePreference } from '@/shared/platform/preferences';
import { holdingsCopy } from './copy';

/** An amount of the member's, drawn as dots while amounts are hidden. */
export function Amount({ children }: { children: string }) {
  const isHidden = usePreference('hideAmounts');
  if (!isHidden) return children;
  return (
    <>
      <span aria-hidden="true">{holdingsCopy.hidden}</span>
      <span className="sr-only">{holdingsCopy.hiddenSpoken}</span>
    </>
  );
}
