// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNativeShare, shareScreen } from './share';

const device = navigator as unknown as Record<'share' | 'clipboard', unknown>;
const here = { title: '삼성전자', url: location.href };

beforeEach(() => {
  for (const name of ['share', 'clipboard'] as const) Object.defineProperty(device, name, { value: undefined, configurable: true, writable: true });
});
afterEach(() => setNativeShare(null));

describe('sharing a screen', () => {
  it('asks the native shell first', async () => {
    const native = vi.fn(() => Promise.resolve(true));
    setNativeShare(native);
    device.share = vi.fn();
    expect(await shareScreen('삼성전자')).toBe('sheet');
    expect(native).toHaveBeenCalledWith(here);
    expect(device.share).not.toHaveBeenCalled();
  });

  it("uses the browser's sheet when the shell has none", async () => {
    setNativeShare(() => Promise.resolve(false));
    device.share = vi.fn(() => Promise.resolve());
    expect(await shareScreen('삼성전자')).toBe('sheet');
    expect(device.share).toHaveBeenCalledWith(here);
  });

  it('succeeds when the sheet is closed without a choice', async () => {
    device.share = () => Promise.reject(new DOMException('', 'AbortError'));
    expect(await shareScreen('삼성전자')).toBe('sheet');
  });

  it('copies the address without a working sheet', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    device.clipboard = { writeText };
    expect(await shareScreen('삼성전자')).toBe('copied');
    device.share = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    expect(await shareScreen('삼성전자')).toBe('copied');
    expect(writeText.mock.calls).toEqual([[here.url], [here.url]]);
  });

  it('reports when nothing works', async () => {
    expect(await shareScreen('삼성전자')).toBe('failed');
  });
});
