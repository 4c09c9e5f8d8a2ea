import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { LazyBackgroundServices } from './LazyBackgroundServices';

const network = vi.hoisted(() => ({ isUp: false }));
vi.mock('./BackgroundServices', () => {
  if (!network.isUp) throw new Error('Loading chunk failed');
  return { BackgroundServices: () => 'loaded' };
});
vi.mock('@/shared/platform/whenPageIdle', () => ({ whenPageIdle: (callback: () => void) => callback() }));

afterEach(() => {
  vi.useRealTimers();
});

it('loads them again later, also when no event tells of a connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  render(<LazyBackgroundServices />);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  vi.resetModules();
  network.isUp = true;
  vi.advanceTimersByTime(15_000);
  vi.useRealTimers();
  expect(await screen.findByText('loaded')).toBeInTheDocument();
});
