// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectionState, setConnection } from '@/shared/realtime/connection';
import { startRealtime } from './startRealtime';

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readyState = FakeSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    sockets.push(this);
  }

  send() {}

  /** A socket whose network went says nothing of it when it is closed. */
  close() {
    this.readyState = 3;
  }

  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }
}

const sockets: FakeSocket[] = [];
let stop: () => void;

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal('WebSocket', FakeSocket);
  document.head.innerHTML = '<script type="application/json" id="runtime-config">{"siseOrigin":"http://sise"}</script>';
  setConnection({ status: 'idle' });
  stop = startRealtime();
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('closes its socket with the network, opens none offline, and a new one when it is back', async () => {
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  sockets[0]?.accept();
  expect(connectionState().status).toBe('live');

  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  expect(connectionState().status).toBe('reconnecting');
  expect(sockets[0]?.readyState).toBe(3);
  window.dispatchEvent(new Event('focus'));
  expect(sockets).toHaveLength(1);

  network.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(2);
  sockets[1]?.accept();
  expect(connectionState().status).toBe('live');
});
