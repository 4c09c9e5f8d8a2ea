import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bellOf } from '@/features/alert/AlertBell';
import { endSession, startSession } from '@/shared/api/session';
import type { Item, PriceAlert } from '@/shared/api/types';
import { tickStore } from '@/shared/realtime/tickStore';
import { activeAlert } from '@/testing/alertSamples';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';

const ALERT = '*/api/v1/market/alert';
let active: PriceAlert[] = [];
let sent: Record<string, unknown>[] = [];

beforeEach(() => {
  tickStore.clear();
  active = [];
  sent = [];
  server.use(
    http.get(`${ALERT}/:sid`, () => HttpResponse.json({ active, fired: [] })),
    http.post(ALERT, async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push(body);
      const alert = { ...activeAlert, kind: body.kind, value: body.value } as PriceAlert;
      active = [alert];
      return HttpResponse.json(alert);
    }),
  );
});
afterEach(() => endSession('logout'));

async function openSheet(item: Item = samsung) {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  const view = renderApp(bellOf(item), { at: '/invest-v2/stock/005930' });
  await view.user.click(screen.getByRole('button', { name: `${item.isuKorNm} 가격 알림 받기` }));
  const sheet = await screen.findByRole('dialog', { name: '가격 알림' });
  const press = async (...keys: string[]) => {
    for (const key of keys) await view.user.keyboard(key);
  };
  const confirm = () => view.user.click(within(sheet).getByRole('button', { name: '알림 받기' }));
  return { ...view, sheet, press, confirm };
}

describe('the bell of an instrument', () => {
  it('offers visitors to sign in', async () => {
    const { user } = renderApp(bellOf(samsung), { at: '/invest-v2/stock/005930' });
    await user.click(screen.getByRole('button', { name: '삼성전자 가격 알림 받기' }));
    const prompt = await screen.findByRole('dialog', { name: '로그인하면 쓸 수 있어요' });
    await user.click(within(prompt).getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([]);
  });

  it('asks for a price and shows the alert the next time', async () => {
    const { sheet, press, confirm, container, user } = await openSheet();
    expect(sheet).toHaveTextContent('삼성전자 지금 가격71,300원 (+1.57%)');
    expect(sheet).toHaveTextContent('조건이 되면 한 번 알려드려요. 90일 동안 기다려요');
    expect(within(sheet).getByRole('button', { name: '이 가격 이상' })).toHaveAttribute('aria-pressed', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await press('8', '0', '0', '0', '0');
    await confirm();
    await screen.findByText('알림을 받을게요');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ memberSid: MEMBER_SID, code: '005930', kind: 'ABOVE', value: 80_000 });
    expect(sent[0]?.reqSid).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: '삼성전자 가격 알림 받기' }));
    expect(await screen.findByRole('button', { name: '삼성전자 80,000원 이상 알림 삭제' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('asks for a fall in percent', async () => {
    const { sheet, press, confirm, user } = await openSheet();
    await user.click(within(sheet).getByRole('button', { name: '등락률' }));
    await user.click(within(sheet).getByRole('button', { name: '내리면' }));
    // A fall has two whole digits and two decimals.
    await press('3', '5', '9', '.', '2', '5', '7');
    await confirm();
    await waitFor(() => expect(sent[0]).toMatchObject({ kind: 'PERCENT', value: -35.25 }));
  });

  it('asks for a price in dollars', async () => {
    const { sheet, press, confirm, user } = await openSheet({ ...samsung, isuSrtCd: 'AAPL', isuKorNm: '애플', marketCode: 'stocks', currency: 'USD', trdPrc: 201.5 });
    await user.click(within(sheet).getByRole('button', { name: '이 가격 이하' }));
    await press('1', '9', '9', '.', '9', '9');
    expect(sheet).toHaveTextContent('$199.99');
    await confirm();
    await waitFor(() => expect(sent[0]).toMatchObject({ code: 'AAPL', kind: 'BELOW', value: 199.99 }));
  });

  it('sends nothing without a value, and says why one is refused', async () => {
    const { sheet, press, confirm } = await openSheet();
    await confirm();
    expect(await within(sheet).findByRole('alert')).toHaveTextContent('값을 먼저 입력해주세요');
    expect(sent).toEqual([]);
    server.use(http.post(ALERT, () => problem(422, 4011, 'ALERT_ALREADY_TRUE', '지금 가격이 이미 그 조건이에요. 다른 값을 정해 주세요.')));
    await press('7');
    await confirm();
    await waitFor(() => expect(within(sheet).getByRole('alert')).toHaveTextContent('지금 가격이 이미 그 조건이에요. 다른 값을 정해 주세요.'));
    await press('0');
    expect(within(sheet).queryByRole('alert')).toBeNull();
  });

  it('repeats the request after a lost reply', async () => {
    const { sheet, press, confirm } = await openSheet();
    const lost: unknown[] = [];
    server.use(
      http.post(
        ALERT,
        async ({ request }) => {
          lost.push(((await request.json()) as { reqSid: string }).reqSid);
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    await press('8', '0', '0', '0', '0');
    await confirm();
    expect(await within(sheet).findByText('알림을 만들지 못했어요. 다시 시도해주세요.')).toBeVisible();
    await confirm();
    await screen.findByText('알림을 받을게요');
    expect(sent.map(({ reqSid }) => reqSid)).toEqual(lost);
  });

  it('repeats it, too, after a body that came too late', async () => {
    const { sheet, press, confirm } = await openSheet();
    const asked: unknown[] = [];
    const replies: (() => Response)[] = [
      () => HttpResponse.error(),
      () => problem(408, 9012, 'REQUEST_TIMEOUT', '요청이 끝까지 오지 않았어요.'),
      () => HttpResponse.json(activeAlert),
    ];
    server.use(
      http.post(ALERT, async ({ request }) => {
        asked.push(await request.json());
        return (replies.shift() ?? (() => HttpResponse.error()))();
      }),
    );
    await press('8', '0', '0', '0', '0');
    await confirm();
    expect(await within(sheet).findByText('알림을 만들지 못했어요. 다시 시도해주세요.')).toBeVisible();
    await confirm();
    expect(await within(sheet).findByText('요청이 끝까지 오지 않았어요.')).toBeVisible();
    await confirm();
    await screen.findByText('알림을 받을게요');
    expect(asked).toEqual([asked[0], asked[0], asked[0]]);
  });
});
