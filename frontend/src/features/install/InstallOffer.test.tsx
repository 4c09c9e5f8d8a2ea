import { fireEvent, screen } from '@testing-library/react';
import { act } from 'react';
import { Link } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { Sheet } from '@/shared/ui/Sheet';
import { MEMBER_SID } from '@/testing/wireSamples';
import { InstallOffer } from './InstallOffer';
import { mayOfferApp, rememberOffered, rememberWebChoice, WEB_CHOICE_MS } from './installRules';

const NOW_MS = Date.parse('2026-11-21T12:00:00+09:00');
const situation = { isWeb: true, isActive: true, pathname: '/home', nowMs: NOW_MS };

describe('the rules of the offer', () => {
  it('require an active member, on the web, on an uninterrupted screen', () => {
    expect(mayOfferApp(situation)).toBe(true);
    expect(mayOfferApp({ ...situation, isWeb: false })).toBe(false);
    expect(mayOfferApp({ ...situation, isActive: false })).toBe(false);
    for (const pathname of ['/order/stock/005930', '/my/orders/wait', '/study-v2/quiz/random', '/community/new', '/login', '/']) {
      expect(mayOfferApp({ ...situation, pathname })).toBe(false);
    }
  });

  it('pause for three days after choosing the web, to the millisecond', () => {
    mayOfferApp(situation);
    rememberWebChoice(NOW_MS);
    expect(mayOfferApp({ ...situation, nowMs: NOW_MS + WEB_CHOICE_MS - 1 })).toBe(false);
    expect(mayOfferApp({ ...situation, nowMs: NOW_MS + WEB_CHOICE_MS })).toBe(true);
  });

  it('drop a choice made for another version', () => {
    rememberWebChoice(NOW_MS);
    localStorage.setItem('app-install-version', 'v0');
    expect(mayOfferApp(situation)).toBe(true);
    expect(localStorage.getItem('app-install-version')).toBe('v1');
  });

  it('apply once per session', () => {
    rememberOffered();
    expect(mayOfferApp(situation)).toBe(false);
  });
});

describe('the offer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    window.history.replaceState(null, '', '/home');
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  });
  afterEach(() => {
    vi.useRealTimers();
    endSession('logout');
  });
  const idle = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const open = async (isActive = true) => {
    const view = renderApp(<InstallOffer isActive={() => isActive} />, { at: '/home' });
    await idle(0);
    return view;
  };
  const dialog = () => screen.queryByRole('alertdialog', { name: '금융 소식, 앱에서 가장 먼저 만나요' });

  it('waits for three idle seconds and cannot be dismissed by Esc or backdrop', async () => {
    await open();
    await idle(2_500);
    fireEvent.pointerDown(document.body);
    await idle(2_500);
    expect(dialog()).toBeNull();
    await idle(600);
    expect(dialog()).toHaveAttribute('closedby', 'none');
    expect(screen.getByRole('heading', { name: '금융 소식, 앱에서 가장 먼저 만나요' })).toHaveFocus();
    for (let time = 0; time < 3; time += 1) expect(fireEvent(dialog() as HTMLElement, new Event('cancel', { cancelable: true }))).toBe(false);
    (dialog() as HTMLDialogElement).close();
    expect(dialog()).toHaveAttribute('open');
    expect(await axeViolations(document.body)).toEqual([]);
  });

  it.each([
    ['a sheet', <Sheet open title="주문" onClose={() => undefined}>본문</Sheet>],
    ['a screen that is a dialog', <section role="dialog" aria-modal="true" />],
  ])('waits while %s is open', async (_name, overlay) => {
    const view = renderApp(
      <>
        <InstallOffer isActive={() => true} />
        {overlay}
      </>,
      { at: '/home' },
    );
    await idle(0);
    await idle(12_000);
    expect(dialog()).toBeNull();
    view.unmount();
    await open();
    await idle(3_100);
    expect(dialog()).not.toBeNull();
  });

  it('hides while somebody goes back to an order below it', async () => {
    renderApp(
      <>
        <InstallOffer isActive={() => true} />
        <Link to="/order/stock/005930">주문</Link>
        <Link to="/home">홈</Link>
      </>,
      { at: '/home' },
    );
    await idle(0);
    await idle(3_100);
    fireEvent.click(screen.getByText('주문'));
    expect(dialog()).toBeNull();
    fireEvent.click(screen.getByText('홈'));
    expect(dialog()).not.toBeNull();
  });

  it('does not cover an order whose screen is still loading', async () => {
    await open();
    // The address changes before the screen.
    window.history.replaceState(null, '', '/order/stock/005930');
    await idle(12_000);
    expect(dialog()).toBeNull();
  });

  it('disappears when the web is chosen, and stays away', async () => {
    const view = await open();
    await idle(3_100);
    fireEvent.click(screen.getByRole('button', { name: '웹으로 할게요' }));
    expect(dialog()).toBeNull();
    view.unmount();
    sessionStorage.clear();
    await open();
    await idle(10_000);
    expect(dialog()).toBeNull();
  });

  it('makes the browser install, or explains how to do it by hand', async () => {
    await open();
    await idle(3_100);
    fireEvent.click(screen.getByRole('button', { name: '앱설치 후 보러가기' }));
    expect(screen.getByRole('heading', { name: '홈 화면에 추가해주세요' })).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: '확인' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('uses the browser\'s prompt', async () => {
    await open();
    const prompt = vi.fn(() => Promise.resolve());
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
    await idle(3_100);
    fireEvent.click(screen.getByRole('button', { name: '앱설치 후 보러가기' }));
    expect(prompt).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('is never shown to an inactive member', async () => {
    await open(false);
    await idle(20_000);
    expect(dialog()).toBeNull();
  });
});
