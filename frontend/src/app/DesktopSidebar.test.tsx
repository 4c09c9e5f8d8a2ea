import { act, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { afterEach, expect, it, vi } from 'vitest';
import { PhoneInvitation } from '@/features/desktop/PhoneInvitation';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { DesktopSidebar } from './DesktopSidebar';

const PHONE = 'https://seedup.example/invest-v2/stock/005930?side=buy';
const PIXELS = 4;

afterEach(() => vi.restoreAllMocks());

/** A resizable screen of the given width. */
function screenOf(width: number) {
  const listeners = new Set<() => void>();
  const query = {
    get matches() {
      return width >= 900;
    },
    addEventListener: (_name: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_name: string, listener: () => void) => listeners.delete(listener),
  };
  vi.spyOn(window, 'matchMedia').mockImplementation(() => query as unknown as MediaQueryList);
  return {
    resize: (to: number) => {
      width = to;
      for (const listener of listeners) listener();
    },
  };
}

/** Decodes a drawn QR code. */
function read(code: Element): string {
  const side = Number(code.getAttribute('viewBox')?.split(' ')[2]) * PIXELS;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of (code.querySelector('path')?.getAttribute('d') ?? '').matchAll(/M(\d+) (\d+)h1/g)) {
    for (let row = 0; row < PIXELS; row += 1) {
      const start = ((Number(y) * PIXELS + row) * side + Number(x) * PIXELS) * 4;
      for (let pixel = 0; pixel < PIXELS; pixel += 1) data.fill(0, start + pixel * 4, start + pixel * 4 + 3);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

it('a phone that scans the code opens the same page', async () => {
  const { container } = renderApp(<PhoneInvitation href={PHONE} />);
  expect(screen.getByRole('complementary', { name: '휴대폰으로 열기' })).toHaveTextContent('시드업');
  expect(read(screen.getByRole('img', { name: '지금 보는 화면의 QR 코드' }))).toBe(PHONE);
  expect(await axeViolations(container)).toEqual([]);
});

it('a loopback address has no code, and the sidebar says so', () => {
  renderApp(<PhoneInvitation href="http://localhost:8080/home" />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText(/이 컴퓨터에서만 열리는 주소예요/)).toBeInTheDocument();
});

it('it is shown from 900 pixels on', async () => {
  const { resize } = screenOf(899);
  renderApp(<DesktopSidebar />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('complementary')).toBeNull();
  act(() => resize(900));
  expect(await screen.findByRole('complementary', { name: '휴대폰으로 열기' })).toBeInTheDocument();
  act(() => resize(899));
  expect(screen.queryByRole('complementary')).toBeNull();
});

it('a native shell has none', async () => {
  screenOf(1_280);
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 InvestApp/android/1.4');
  renderApp(<DesktopSidebar />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('complementary')).toBeNull();
});
