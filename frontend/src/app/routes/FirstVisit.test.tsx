import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, member, MEMBER_SID, problem } from '@/testing/wireSamples';
import HomeRoute from './HomeRoute';

let flags = { tutorial: false, welcomePopup: false };
let reported: string[] = [];
let isReportingDown = false;

beforeEach(() => {
  flags = { tutorial: false, welcomePopup: false };
  reported = [];
  isReportingDown = false;
  tickStore.clear();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  const nothing = () => HttpResponse.json([]);
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, ...flags })),
    http.patch('*/api/v1/member/:flag/:id', ({ params }) => {
      reported.push(`${String(params.flag)} ${String(params.id)}`);
      return isReportingDown ? problem(503, 9007, 'UNAVAILABLE') : new HttpResponse(null, { status: 204 });
    }),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/market-trend/stocks/:type', () => problem(503, 9007, 'UNAVAILABLE')),
    http.get('*/api/v1/:kind/member/:sid', nothing),
    http.get('*/api/v1/:kind/wait/member/:sid', nothing),
    http.get('*/api/v1/:kind/popular/member/:sid', nothing),
  );
});

const open = () => renderApp(<HomeRoute />, { at: '/home' });
// The tour is loaded lazily.
const tour = () => screen.findByRole('dialog', { name: '시드업 둘러보기' }, { timeout: 5_000 });
const visibleCardTitle = (dialog: HTMLElement) => within(dialog).getAllByRole('heading', { level: 3 }).find((title) => title.closest('[inert]') === null)?.textContent;

describe('the first visit', () => {
  it('is a tour, then the money, each once', async () => {
    const { user, unmount } = open();
    const dialog = await tour();
    expect(visibleCardTitle(dialog)).toBe('가상 머니로 연습해요');
    expect(within(dialog).queryByRole('button', { name: '이전' })).toBeNull();
    expect(await axeViolations(dialog)).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: '다음' }));
    expect(visibleCardTitle(dialog)).toBe('왜 이 가격인지 알려드려요');
    expect(within(dialog).getByRole('status')).toHaveTextContent('3장 중 2번째');
    await user.click(within(dialog).getByRole('button', { name: '이전' }));
    await user.click(within(dialog).getByRole('button', { name: '다음' }));
    await user.click(within(dialog).getByRole('button', { name: '다음' }));
    expect(visibleCardTitle(dialog)).toBe('자산이 늘면 레벨이 올라요');
    expect(dialog).not.toHaveTextContent(/퀴즈|대회/);
    await user.click(within(dialog).getByRole('button', { name: '시작하기' }));

    const welcome = await screen.findByRole('dialog', { name: '가상 머니를 넣어드렸어요' });
    expect(welcome).toHaveTextContent('500만원');
    expect(await axeViolations(welcome)).toEqual([]);
    await user.click(within(welcome).getByRole('button', { name: '좋아요' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(reported).toEqual([`tutorial ${MEMBER_SID}`, `welcomePopup ${MEMBER_SID}`]));

    unmount();
    flags = { tutorial: true, welcomePopup: true };
    open();
    await screen.findByRole('region', { name: '내 총자산' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(reported).toHaveLength(2);
  });

  it.each([
    ['its cross', (welcome: HTMLElement) => fireEvent.click(within(welcome).getByRole('button', { name: '닫기' }))],
    ['the page beside it', (welcome: HTMLElement) => fireEvent.click(welcome)],
    ['Esc', (welcome: HTMLElement) => fireEvent(welcome, new Event('cancel', { cancelable: true }))],
    ['a reload', () => fireEvent(window, new Event('pagehide'))],
    ['another screen', () => undefined],
  ])('welcomes once, also when it is closed by %s', async (_way, leave) => {
    flags = { tutorial: true, welcomePopup: false };
    const { unmount } = open();
    leave(await screen.findByRole('dialog', { name: '가상 머니를 넣어드렸어요' }));
    unmount();
    open();
    await screen.findByRole('region', { name: '내 총자산' });
    await waitFor(() => expect(reported).toContain(`welcomePopup ${MEMBER_SID}`));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('can be skipped', async () => {
    flags = { tutorial: false, welcomePopup: true };
    const { user } = open();
    await user.click(within(await tour()).getByRole('button', { name: '건너뛰기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(reported).toEqual([`tutorial ${MEMBER_SID}`]));
  });

  it('can be swiped through', async () => {
    open();
    const dialog = await tour();
    const first = within(dialog).getByText('가상 머니로 연습해요');
    fireEvent.pointerDown(first, { clientX: 300, clientY: 200 });
    fireEvent.pointerUp(first, { clientX: 120, clientY: 210 });
    expect(visibleCardTitle(dialog)).toBe('왜 이 가격인지 알려드려요');
    fireEvent.pointerDown(first, { clientX: 100, clientY: 200 });
    fireEvent.pointerUp(first, { clientX: 110, clientY: 330 });
    expect(visibleCardTitle(dialog)).toBe('왜 이 가격인지 알려드려요');
    fireEvent.pointerDown(first, { clientX: 100, clientY: 200 });
    fireEvent.pointerUp(first, { clientX: 260, clientY: 220 });
    expect(visibleCardTitle(dialog)).toBe('가상 머니로 연습해요');
  });

  it('is not shown twice when reporting it failed, and is reported later', async () => {
    isReportingDown = true;
    flags = { tutorial: false, welcomePopup: true };
    const first = open();
    await first.user.click(within(await tour()).getByRole('button', { name: '건너뛰기' }));
    await waitFor(() => expect(reported).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    first.unmount();

    isReportingDown = false;
    open();
    await waitFor(() => expect(reported).toHaveLength(2));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does not mention the money before its amount is loaded', async () => {
    flags = { tutorial: true, welcomePopup: false };
    server.use(http.get('*/api/v1/invest/account/:id', () => problem(503, 9007, 'UNAVAILABLE')));
    open();
    await screen.findAllByText('불러오지 못했어요');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
