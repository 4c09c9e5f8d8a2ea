import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refetchRuntimeConfig } from '@/shared/api/runtimeConfig';
import { stopListeningToNative } from '@/shared/platform/nativeBridge';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { UpdateGate } from './UpdateGate';

const page = window as unknown as { AppBridge?: unknown };
const sent: string[] = [];

const serve = async (config: object) => {
  server.use(http.get('*/config.json', () => HttpResponse.json({ siseOrigin: '', version: '1.0.0', ...config })));
  await act(() => refetchRuntimeConfig());
};
const runIn = (shell: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 InvestApp/${shell}`);

beforeEach(() => {
  sent.length = 0;
  page.AppBridge = { postMessage: (text: string) => sent.push((JSON.parse(text) as { type: string }).type) };
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  stopListeningToNative();
  delete page.AppBridge;
  await serve({});
});

describe('a native app that is too old', () => {
  it('is asked to update until the store is opened, and nothing else closes the dialog', async () => {
    runIn('android/1.9.0');
    await serve({ leastApp: { android: '1.10', ios: '9.0' } });
    const { user, container } = renderApp(<UpdateGate />, { at: '/home' });
    const dialog = screen.getByRole('alertdialog', { name: '새 버전이 나왔어요' });
    expect(dialog).toHaveAccessibleDescription('업데이트하면 더 안정적으로 쓸 수 있어요');
    expect(await axeViolations(container)).toEqual([]);
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    await user.click(screen.getByRole('button', { name: '업데이트' }));
    expect(sent).toContain('openStore');
    expect(dialog).toBeVisible();
  });

  it.each([
    ['android/1.10', { android: '1.10' }],
    ['ios/1.0', { android: '1.10' }],
  ])('%s is not interrupted with %o', async (shell, leastApp) => {
    runIn(shell);
    await serve({ leastApp });
    renderApp(<UpdateGate />, { at: '/home' });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('a newer release', () => {
  it('is offered once, and can be declined', async () => {
    await serve({ version: '1.0.0' });
    const { user } = renderApp(<UpdateGate />, { at: '/home' });
    expect(screen.queryByRole('dialog')).toBeNull();
    await serve({ version: '1.1.0' });
    await user.click(await screen.findByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await serve({ version: '1.1.0' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('waits while an order is being placed', async () => {
    await serve({ version: '1.0.0' });
    renderApp(<UpdateGate />, { at: '/order/stock/005930' });
    await serve({ version: '1.1.0' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is checked for when the page returns after a while', async () => {
    await serve({ version: '1.0.0' });
    renderApp(<UpdateGate />, { at: '/home' });
    const reads = vi.fn(() => HttpResponse.json({ version: '1.2.0' }));
    server.use(http.get('*/config.json', reads));
    fireEvent(document, new Event('visibilitychange'));
    expect(reads).not.toHaveBeenCalled();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    fireEvent(document, new Event('visibilitychange'));
    expect(await screen.findByText('새 버전이 나왔어요')).toBeVisible();
    expect(reads).toHaveBeenCalledTimes(1);
  });
});
