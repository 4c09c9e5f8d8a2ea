import { useAnnouncements } from '@/shared/ui/screenAnnouncer';

/** Says the name of each new screen and other short results, politely. */
export function LiveRegions() {
  const { screen, polite } = useAnnouncements();
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {screen}
      </p>
      <p className="sr-only" aria-live="polite">
        {polite}
      </p>
    </>
  );
}
