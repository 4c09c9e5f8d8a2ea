import { act } from '@testing-library/react';

/** Two taps before anything is drawn again. */
export function doubleTap(element: HTMLElement): void {
  act(() => {
    element.click();
    element.click();
  });
}
