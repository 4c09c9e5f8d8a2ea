import { hiddenAmount } from '@/shared/copy/copy.shared';
import { usePreference } from '@/shared/platform/preferences';

/** An amount of the member, shown as dots while amounts are hidden. */
export function Amount({ children }: { children: string }) {
  const isHidden = usePreference('hideAmounts');
  if (!isHidden) return children;
  return (
    <>
      <span aria-hidden="true">{hiddenAmount.shown}</span>
      <span className="sr-only">{hiddenAmount.spoken}</span>
    </>
  );
}
