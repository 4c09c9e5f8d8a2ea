import { type ReactNode, useState } from 'react';

let markup = document.querySelector('.boot')?.innerHTML ?? null;

/** Keeps the static page while its first screen loads; for other screens the given fallback. */
export function FirstPage({ otherwise }: { otherwise: ReactNode }) {
  const [kept] = useState(markup);
  if (kept === null) return otherwise;
  return <main id="main" className="boot" aria-busy="true" dangerouslySetInnerHTML={{ __html: kept }} />;
}

export function leaveFirstPage(): void {
  markup = null;
}
