import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { PriceAlert } from '@/shared/api/types';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { activeAlert, firedAlert } from '@/testing/alertSamples';
import { axeViolations } from '@/testing/axe';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

const LIST = '*/api/v1/market/alert/:sid';
const ALERT = '*/api/v1/market/alert';
let alerts: { active: PriceAlert[]; fired: PriceAlert[] };
let deleted: unknown[] = [];

const open = () => openMoney('/my/alerts');

beforeEach(() => {
  alerts = { active: [activeAlert], fired: [firedAlert] };
  deleted = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })),
    http.get(LIST, () => HttpResponse.json(alerts)),
    http.delete(ALERT, async ({ request }) => {
      const body = (await request.json()) as { sid: number };
      deleted.push(body);
      const others = (alert: PriceAlert) => alert.sid !== body.sid;
      alerts = { active: alerts.active.filter(others), fired: alerts.fired.filter(others) };
      return HttpResponse.json({ sid: body.sid });
    }),
  );
});

const removal = () => screen.findByRole('button', { name: '삼성전자 80,000원 이상 알림 삭제' });

describe('the list of price alerts', () => {
  it('shows what waits and what fired, in a competition too', async () => {
    const { container } = open();
    expect(await screen.findByRole('heading', { name: '받고 있는 알림' })).toBeVisible();
    expect(screen.getByText('90일 동안 기다려요')).toBeVisible();
    expect(screen.getByRole('link', { name: '삼성전자' })).toHaveAttribute('href', '/invest-v2/stock/005930');
    expect(screen.getByText('80,000원 이상')).toBeVisible();
    expect(screen.getByRole('heading', { name: '지난 알림' })).toBeVisible();
    expect(screen.getByRole('link', { name: '비트코인' })).toHaveAttribute('href', '/invest-v2/coin/KRW-BTC?refMarketCode=coin');
    expect(screen.getByText('3.5% 이상 내리면')).toBeVisible();
    expect(screen.getByText(/11\.20 09:03에 99,000,000원/)).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('deletes an alert when its message goes', async () => {
    const { user, container } = open();
    await user.click(await removal());
    expect(screen.queryByText('80,000원 이상')).toBeNull();
    await screen.findByText('알림을 삭제했어요');
    expect(deleted).toEqual([]);
    act(() => dismissSnackbar());
    await waitFor(() => expect(deleted).toEqual([{ memberSid: MEMBER_SID, sid: 81 }]));
    expect(await screen.findByText('받고 있는 가격 알림이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toHaveAttribute('href', '/invest-v2/stock');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('brings an alert back, and deletes nothing', async () => {
    const { user } = open();
    await user.click(await removal());
    await user.click(await screen.findByText('취소'));
    expect(await removal()).toBeVisible();
    expect(deleted).toEqual([]);
  });

  it('deletes what could still be undone when it is left', async () => {
    const { user, unmount } = open();
    await user.click(await removal());
    unmount();
    await waitFor(() => expect(deleted).toHaveLength(1));
  });

  it.each([
    ['the page goes', () => window.dispatchEvent(new Event('pagehide'))],
    [
      'the page is hidden',
      () => {
        vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
        document.dispatchEvent(new Event('visibilitychange'));
      },
    ],
  ])('deletes at once, by a request that survives, when %s', async (_what, go) => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const { user } = open();
    await user.click(await removal());
    expect(deleted).toEqual([]);
    act(() => void go());
    await waitFor(() => expect(deleted).toEqual([{ memberSid: MEMBER_SID, sid: 81 }]));
    const request = fetched.mock.calls.map(([input]) => input as Request).find(({ method }) => method === 'DELETE');
    expect(request?.keepalive).toBe(true);
  });

  it('shows an alert again that could not be deleted', async () => {
    server.use(http.delete(ALERT, () => problem(503, 9007, 'UNAVAILABLE')));
    const { user } = open();
    await user.click(await removal());
    act(() => dismissSnackbar());
    await screen.findByText('알림을 삭제하지 못했어요. 다시 시도해주세요.');
    expect(await removal()).toBeVisible();
  });

  it('forgets an alert that is gone already', async () => {
    server.use(
      http.delete(ALERT, () => {
        alerts = { active: [], fired: [] };
        return problem(404, 4013, 'ALERT_NOT_FOUND');
      }),
    );
    const { user } = open();
    await user.click(await removal());
    act(() => dismissSnackbar());
    expect(await screen.findByText('받고 있는 가격 알림이 없어요')).toBeVisible();
    expect(screen.queryByText('알림을 삭제하지 못했어요. 다시 시도해주세요.')).toBeNull();
  });

  it('can be retried after a failure to load', async () => {
    server.use(http.get(LIST, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(LIST, () => HttpResponse.json(alerts)));
    await user.click(retry);
    expect(await screen.findByText('80,000원 이상')).toBeVisible();
  });
});
