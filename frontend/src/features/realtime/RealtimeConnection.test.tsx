import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { connectionState } from '@/shared/realtime/connection';
import { RealtimeConnection } from './RealtimeConnection';

const startRealtime = vi.hoisted(() => vi.fn(() => () => undefined));
const network = vi.hoisted(() => ({ isUp: false }));
vi.mock('./startRealtime', () => {
  if (!network.isUp) throw new Error('Loading chunk failed');
  return { startRealtime };
});

it('loads its code again when the network is back', async () => {
  render(<RealtimeConnection />);
  await vi.waitFor(() => expect(connectionState().status).toBe('lost'));
  vi.resetModules();
  network.isUp = true;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(startRealtime).toHaveBeenCalledOnce());
});
