import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { ErrorBoundary } from './ErrorBoundary';

function Missing(): never {
  throw Object.assign(new Error('Loading chunk 7 failed'), { name: 'ChunkLoadError' });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('loads a screen that was never opened as soon as there is a connection', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const reload = vi.fn();
  vi.stubGlobal('location', { ...location, reload });
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  renderApp(
    <ErrorBoundary resetKey="/my">
      <Missing />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('인터넷 연결을 확인해주세요');
  expect(screen.getByRole('button', { name: '뒤로 가기' })).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
  network.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(reload).toHaveBeenCalledOnce();
});
