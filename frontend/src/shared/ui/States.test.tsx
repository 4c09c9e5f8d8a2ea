import { render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { state } from '@/shared/copy/copy.shared';
import { OfflineBanner } from './States';

afterEach(() => vi.restoreAllMocks());

/** Loses the connection after the first render and before any effect of it. */
function LosesConnection(): null {
  useLayoutEffect(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
  }, []);
  return null;
}

test('a connection lost during the first render is reported, with the time', async () => {
  render(
    <>
      <OfflineBanner />
      <LosesConnection />
    </>,
  );
  const banner = await screen.findByRole('status');
  expect(banner.textContent).toContain(state.offline);
  expect(banner.textContent).toMatch(/\d\d:\d\d 기준/);
});
