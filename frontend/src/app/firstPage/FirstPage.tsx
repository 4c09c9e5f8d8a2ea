import { type ReactNode, useState } from 'react';

let markup = document.querySelector('.boot')?.innerHTML ?? null;

/** The page as it was before the program, while its first screen is being fetched; for any other screen what is given. */
export function FirstPage({ otherwise }: { otherwise: ReactNode }) {
  const [kept] = useState(markup);
  if (kept === null) return otherwise;
  return <main id="main" className="boot" aria-busy="true" dangerouslySetInnerHTML={{ __html: kept }} />;
}

/** Called when a screen is up. */
export function leaveFirstPage(): void {
  markup = null;
}
