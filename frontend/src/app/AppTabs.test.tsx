import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Link } from 'react-router';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { AppTabs } from './AppTabs';
import { ScrollRestoration } from './ScrollRestoration';

const open = (at: string) =>
  renderApp(
    <>
      <ScrollRestoration />
      <Link to="/market-trend">시장 동향</Link>
      <Link to="/invest-v2/stock?tab=etf">ETF</Link>
      <AppTabs />
    </>,
    { at },
  );
const tab = (name: string) => within(screen.getByRole('navigation', { name: '주요 메뉴' })).getByRole('link', { name });
const address = () => screen.getByTestId('address').textContent;

describe('the tabs', () => {
  it('are the existing screens, and mark the current one', async () => {
    const { container } = open('/home');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['홈', '투자', '학습', '커뮤니티', '마이']);
    expect(tab('홈')).toHaveAttribute('aria-current', 'page');
    expect(tab('투자')).not.toHaveAttribute('aria-current');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('lead to where they were left, and from there to their own screen', async () => {
    const { user } = open('/home');
    await user.click(screen.getByRole('link', { name: 'ETF' }));
    await user.click(tab('홈'));
    expect(address()).toBe('/home');
    await user.click(tab('투자'));
    expect(address()).toBe('/invest-v2/stock?tab=etf');
    await user.click(screen.getByRole('link', { name: '시장 동향' }));
    expect(tab('홈')).toHaveAttribute('aria-current', 'page');
    await user.click(tab('투자'));
    await user.click(tab('홈'));
    expect(address()).toBe('/market-trend');
    await user.click(tab('홈'));
    expect(address()).toBe('/home');
  });

  it('keep their scroll position, and scroll to the top when tapped again', async () => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation((...to: unknown[]) => {
      if (typeof to[1] === 'number') Object.defineProperty(window, 'scrollY', { value: to[1], configurable: true });
    });
    const { user } = open('/home');
    Object.defineProperty(window, 'scrollY', { value: 700, configurable: true });
    window.dispatchEvent(new Event('scroll'));
    await user.click(tab('마이'));
    expect(window.scrollY).toBe(0);
    await user.click(tab('홈'));
    await waitFor(() => expect(window.scrollY).toBe(700));
    await user.click(tab('홈'));
    expect(scroll).toHaveBeenLastCalledWith({ top: 0, behavior: 'smooth' });
    expect(address()).toBe('/home');
  });

  it('forget the positions of the previous member', async () => {
    startSession({ accessToken: 'token', memberSid: 7 });
    const { user } = open('/home');
    await user.click(screen.getByRole('link', { name: 'ETF' }));
    act(() => endSession('logout'));
    await user.click(tab('홈'));
    await user.click(tab('투자'));
    expect(address()).not.toContain('tab=etf');
  });
});
