import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { BuyItemBody, ChangeCashBody } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { doubleTap } from '@/testing/doubleTap';
import { frame, shop } from '@/testing/moneySamples';
import { server } from '@/testing/server';
import { assets, member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json(shop)),
    http.get('*/api/v1/auth/cash', () => HttpResponse.json({ memberSid: MEMBER_SID, cash: 7 })),
  );
});

describe('the shop', () => {
  it('shows what can be spent, and the items with their prices', async () => {
    const { container } = openMoney('/my/items');
    expect(await screen.findByRole('link', { name: '새싹 테두리' })).toHaveAttribute('href', '/my/items/10');
    const card = screen.getByRole('link', { name: '새싹 테두리' }).closest('li');
    expect(card).toHaveTextContent('100,000원7개 남음');
    expect(screen.getByRole('link', { name: '열매 주머니' }).closest('li')).toHaveTextContent('10캐시');
    expect(await screen.findByText('7캐시')).toBeVisible();
    expect(screen.getByText('1캐시 = 1,000원')).toBeVisible();
    expect(screen.getByText('캐시는 대회 상금으로 받거나 운영자가 드려요.')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('turns cash into won', async () => {
    const sent: ChangeCashBody[] = [];
    server.use(
      http.put('*/api/v1/auth/change-cash', async ({ request }) => {
        sent.push((await request.json()) as ChangeCashBody);
        return HttpResponse.json({ cash: 2, changedCash: 5, won: 5_000, deposit: 4_795_000, message: '' });
      }),
    );
    const { user, container } = openMoney('/my/items');
    await screen.findByText('7캐시');
    await user.click(screen.getByRole('button', { name: '바꾸기' }));
    const sheet = await screen.findByRole('dialog', { name: '캐시를 돈으로 바꾸기' });
    await user.keyboard('5');
    expect(await within(sheet).findByText('기본 계좌에 5,000원이 들어와요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '바꾸기' }));
    const confirm = await screen.findByRole('dialog', { name: '5캐시를 5,000원으로 바꿀까요?' });
    await user.click(within(confirm).getByRole('button', { name: '바꾸기' }));
    expect(await screen.findByText('5,000원을 넣었어요')).toBeInTheDocument();
    expect(sent).toMatchObject([{ memberSid: MEMBER_SID, cash: 5 }]);
  });
});

describe('an item', () => {
  it('can be tried on and bought', async () => {
    const sent: BuyItemBody[] = [];
    server.use(
      http.post('*/api/v1/invest/buy-item', async ({ request }) => {
        sent.push((await request.json()) as BuyItemBody);
        return HttpResponse.json({ purchaseSid: 1, itemSid: 10, quantity: 1, spent: 100_000, currency: 'KRW', owned: 1, deposit: 4_690_000, cash: 7, message: '' });
      }),
    );
    const { user, container } = openMoney('/my/items/10');
    await user.click(await screen.findByRole('button', { name: '입어보기' }));
    expect(screen.getByRole('button', { name: '벗어보기' })).toBeVisible();
    expect(screen.getByText('새싹민지')).toBeVisible();
    expect(screen.getByText('남은 수량').closest('div')).toHaveTextContent('7개 / 100개');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '구매하기' }));
    const sheet = await screen.findByRole('dialog', { name: '새싹 테두리를 살까요?' });
    expect(within(sheet).getByText('산 뒤 주문 가능').closest('div')).toHaveTextContent('4,690,000원');
    await user.click(within(sheet).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByRole('heading', { name: '새싹 테두리를 샀어요' })).toHaveFocus();
    expect(sent).toMatchObject([{ memberSid: MEMBER_SID, itemSid: 10, quantity: 1 }]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('that is worn is put on right after buying it', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/v1/invest/buy-item', () =>
        HttpResponse.json({ purchaseSid: 1, itemSid: 10, quantity: 1, spent: 100_000, currency: 'KRW', owned: 1, deposit: 4_690_000, cash: 7, message: '' }),
      ),
      http.put('*/api/v1/member/appearance', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...member, frame: 'frame-sprout' });
      }),
    );
    const { user } = openMoney('/my/items/10');
    await waitFor(() => expect(screen.getByRole('button', { name: '구매하기' })).not.toHaveAttribute('aria-disabled'));
    await user.click(screen.getByRole('button', { name: '구매하기' }));
    await user.click(within(await screen.findByRole('dialog', { name: '새싹 테두리를 살까요?' })).getByRole('button', { name: '구매하기' }));
    const now = await screen.findByRole('button', { name: '지금 착용하기' });
    await waitFor(() => expect(now).not.toHaveAttribute('aria-disabled'));
    doubleTap(now);
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/my/items'));
    expect(sent).toEqual([{ memberSid: MEMBER_SID, frame: 'frame-sprout' }]);
  });

  it('that is a theme shows the screen with the own total', async () => {
    const theme = { ...frame, itemSid: 6, name: '숲 테마', category: 'THEME', slot: 'THEME', image: 'theme-forest' };
    server.use(http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json({ ...shop, catalogue: [theme] })));
    openMoney('/my/items/6');
    expect(await screen.findByText('5,003,900원')).toBeInTheDocument();
    expect(screen.getByText('입어보기를 누르면 화면이 어떻게 바뀌는지 볼 수 있어요.')).toBeVisible();
  });

  it('that is too dear says how much is missing', async () => {
    openMoney('/my/items/3');
    expect(await screen.findByText('3캐시 모자라요')).toBeVisible();
    expect(screen.getByRole('button', { name: '구매하기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('that was sold out meanwhile is refused in the words of the server', async () => {
    server.use(http.post('*/api/v1/invest/buy-item', () => problem(422, 3_046, 'SOLD_OUT', '다 팔렸어요.')));
    const { user } = openMoney('/my/items/10');
    await waitFor(() => expect(screen.getByRole('button', { name: '구매하기' })).not.toHaveAttribute('aria-disabled'));
    await user.click(screen.getByRole('button', { name: '구매하기' }));
    await user.click(within(await screen.findByRole('dialog', { name: '새싹 테두리를 살까요?' })).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByRole('alertdialog', { name: '사지 못했어요' })).toHaveTextContent('다 팔렸어요.');
  });

  it('is bought once by a double tap', async () => {
    const sent: string[] = [];
    server.use(
      http.post('*/api/v1/invest/buy-item', async ({ request }) => {
        sent.push(((await request.json()) as BuyItemBody).reqSid);
        return HttpResponse.json({ purchaseSid: 1, itemSid: 10, quantity: 1, spent: 100_000, currency: 'KRW', owned: 1, deposit: 4_690_000, cash: 7, message: '' });
      }),
    );
    const { user } = openMoney('/my/items/10');
    await waitFor(() => expect(screen.getByRole('button', { name: '구매하기' })).not.toHaveAttribute('aria-disabled'));
    await user.click(screen.getByRole('button', { name: '구매하기' }));
    await user.dblClick(within(await screen.findByRole('dialog', { name: '새싹 테두리를 살까요?' })).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByRole('heading', { name: '새싹 테두리를 샀어요' })).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['is sold out', { left: 0 }, [], '다 팔렸어요'],
    ['is held as often as allowed', { slot: null, limitPerMember: 2 }, [{ itemSid: 10, quantity: 2 }], '2개까지 가질 수 있어요'],
    ['is not for sale now', { onSale: false }, [], '지금은 살 수 없어요'],
  ] as const)('cannot be bought when it %s', async (_state, change, owned, reason) => {
    server.use(http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json({ ...shop, catalogue: [{ ...frame, ...change }], owned })));
    openMoney('/my/items/10');
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByRole('button', { name: '구매하기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('cannot be bought offline', async () => {
    openMoney('/my/items/10');
    await waitFor(() => expect(screen.getByRole('button', { name: '구매하기' })).not.toHaveAttribute('aria-disabled'));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByRole('button', { name: '구매하기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('may be unknown', async () => {
    openMoney('/my/items/99');
    expect(await screen.findByText('아이템을 찾을 수 없어요')).toBeVisible();
  });
});

describe('an item that is owned', () => {
  const owned = { ...shop, owned: [{ itemSid: 10, quantity: 1 }] };
  const answer = (sent: unknown[]) =>
    http.put('*/api/v1/member/appearance', async ({ request }) => {
      const body = (await request.json()) as { frame: string | null };
      sent.push(body);
      return HttpResponse.json({ ...member, frame: body.frame });
    });

  beforeEach(() => server.use(http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json(owned))));

  it('is worn, and taken off', async () => {
    const sent: unknown[] = [];
    server.use(answer(sent));
    const { user, container } = openMoney('/my/items/10');
    await user.click(await screen.findByRole('button', { name: '착용하기' }));
    const takeOff = await screen.findByRole('button', { name: '벗기' });
    expect(screen.queryByRole('button', { name: '입어보기' })).toBeNull();
    await user.click(takeOff);
    expect(await screen.findByRole('button', { name: '착용하기' })).toBeVisible();
    expect(sent).toEqual([
      { memberSid: MEMBER_SID, frame: 'frame-sprout' },
      { memberSid: MEMBER_SID, frame: null },
    ]);
    expect(screen.queryByRole('button', { name: '구매하기' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('is worn once it is delivered', async () => {
    const sent: unknown[] = [];
    let isDelivered = false;
    server.use(answer(sent));
    server.use(
      http.put('*/api/v1/member/appearance', () => {
        if (isDelivered) return;
        isDelivered = true;
        return problem(422, 2_003, 'ITEM_NOT_OWNED', '가진 아이템만 쓸 수 있어요.');
      }),
    );
    const { user } = openMoney('/my/items/10');
    await user.click(await screen.findByRole('button', { name: '착용하기' }));
    expect(await screen.findByRole('button', { name: '벗기' }, { timeout: 3_000 })).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it('stays as it is when that fails, which is said', async () => {
    server.use(http.put('*/api/v1/member/appearance', () => problem(409, 9_100, 'OTHER', '')));
    const { user } = openMoney('/my/items/10');
    await user.click(await screen.findByRole('button', { name: '착용하기' }));
    expect(await screen.findByText('바꾸지 못했어요. 다시 눌러주세요.')).toBeVisible();
    expect(screen.getByRole('button', { name: '착용하기' })).toBeVisible();
  });

  it('is marked in the shop while it is worn', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, frame: 'frame-sprout' })));
    openMoney('/my/items');
    const card = (await screen.findByRole('link', { name: '새싹 테두리' })).closest('li');
    await waitFor(() => expect(card).toHaveTextContent('착용 중'));
  });
});

describe('the shop without an answer', () => {
  it('says so and asks again', async () => {
    let failing = true;
    server.use(http.get('*/api/v1/invest/buy-item-list', () => (failing ? problem(400, 9_001, 'MALFORMED', '') : HttpResponse.json(shop))));
    const { user } = openMoney('/my/items');
    const again = await screen.findByRole('button', { name: '다시 시도' });
    failing = false;
    await user.click(again);
    expect(await screen.findByRole('link', { name: '새싹 테두리' })).toBeVisible();
  });

  it('may have nothing', async () => {
    server.use(http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json({ ...shop, catalogue: [] })));
    openMoney('/my/items');
    expect(await screen.findByText('지금은 파는 아이템이 없어요')).toBeVisible();
  });
});

describe('the purchases', () => {
  it('are listed by day, also refunded ones', async () => {
    const purchases = [
      { purchaseSid: 2, itemSid: 10, name: '새싹 테두리', quantity: 1, currency: 'KRW', spent: 100_000, status: 'COMPLETED', time: '2026-11-21T12:00:00+09:00', refundTime: null },
      { purchaseSid: 1, itemSid: 3, name: '열매 주머니', quantity: 2, currency: 'CASH', spent: 20, status: 'REFUNDED', time: '2026-11-20T12:00:00+09:00', refundTime: '2026-11-21T12:00:00+09:00' },
    ];
    server.use(http.get('*/api/v1/invest/buy-item-list', () => HttpResponse.json({ ...shop, purchases })));
    const { container } = openMoney('/my/items/purchases');
    expect((await screen.findByText('새싹 테두리')).closest('li')).toHaveTextContent('새싹 테두리1개100,000원12:00');
    expect(screen.getByText('열매 주머니').closest('li')).toHaveTextContent('환불했어요20캐시');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('may be none', async () => {
    openMoney('/my/items/purchases');
    expect(await screen.findByText('아직 산 아이템이 없어요')).toBeVisible();
  });
});
