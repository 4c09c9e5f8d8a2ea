import { useState } from 'react';

/** True from the first opening on: an overlay that loads on demand stays mounted, so that it can animate when it closes. */
export function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return wasOpened || isOpen;
}
