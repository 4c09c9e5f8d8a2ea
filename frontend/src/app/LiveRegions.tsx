import { useAnnouncements } from '@/shared/ui/screenAnnouncer';

/** Announces new screens and short results politely. */
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
