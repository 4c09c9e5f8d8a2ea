import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { Item, OrderBody, OrderTerms } from '@/shared/api/types';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { previewOf } from '@/testing/previewSample';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, fill, filledOrder, holding, MEMBER_SID, problem, replyTo, samsung, samsungTerms, waitingOrder } from '@/testing/wireSamples';
import OrderRoute from './OrderRoute';

const ORDER = '*/api/v1/:category/order';
let sent: OrderBody[] = [];
let questions: string[] = [];
let previews: unknown[] = [];

interface World {
  item?: Item;
  terms?: OrderTerms;
  side?: 'buy' | 'sell';
}

async function openSheet({ item = samsung, terms = samsungTerms, side = 'buy' }: World = {}) {
  server.use(
    http.get('*/api/v1/:category/real/code/:code', () => HttpResponse.json(item)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/invest/member/:id/code/:code', () => HttpResponse.json(terms)),
    http.get('*/api/v1/:category/member/:sid/code/:code', () => HttpResponse.json([holding])),
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: filledOrder, fills: [fill] })),
  );
  const view = renderApp(
    <Routes>
      <Route path="/order/:category/:code" element={<OrderRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at: `/order/${item.marketCode === 'GOLD' ? 'gold' : 'stock'}/${item.isuSrtCd}?side=${side}` },
  );
  await screen.findByText(side === 'buy' ? '주문 가능' : '보유');
  return view;
}

function answerOrders(answer: (body: OrderBody, attempt: number) => Response | Promise<Response>) {
  server.use(
    http.post(ORDER, async ({ request }) => {
      const body = (await request.json()) as OrderBody;
      sent.push(body);
      return answer(body, sent.length);
    }),
  );
}

function answerQuestions(answer: (reqSid: string, question: number) => Response) {
  server.use(
    http.post('*/api/v1/invest/close-request', async ({ request }) => {
      const { reqSid } = (await request.json()) as { reqSid: string };
      questions.push(reqSid);
      return answer(reqSid, questions.length);
    }),
  );
}

const key = (name: string) => screen.getByRole('button', { name });
const cta = (name = '구매하기') => screen.getByRole('button', { name });
const sheet = async () => (await screen.findByRole('heading', { level: 2, name: /할까요\?$/ })).closest('dialog') as HTMLElement;

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  questions = [];
  answerQuestions(() => HttpResponse.error());
  previews = [];
  server.use(http.post('*/api/v1/invest/preview', async ({ request }) => HttpResponse.json(previewOf((await request.json()) as never))));
  tickStore.clear();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

describe('buying at the market', () => {
  it('goes from the keypad over the confirmation to the fill', async () => {
    answerOrders(() => HttpResponse.json(replyTo({ ...filledOrder, status: 'ACCEPTED', filledQty: 0, remainQty: 3 })));
    const { user } = await openSheet();
    await user.click(key('3'));
    expect(await screen.findByText('약 214,232원')).toBeVisible();
    await user.click(cta());
    const confirm = await sheet();
    expect(within(confirm).getByRole('heading')).toHaveTextContent('삼성전자 3주를 약 214,232원에 구매할까요?');
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));

    expect(await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' })).toBeVisible();
    expect(await screen.findByText('214,200원에 체결됐어요')).toBeVisible();
    expect(sent).toEqual([
      {
        acno: '00',
        isuSrtCd: '005930',
        isuKorNm: '삼성전자',
        juPrc: null,
        juQty: 3,
        memberSid: MEMBER_SID,
        orderGb: '매수주문',
        orderCategory: 'STOCK',
        bookPrc: 71_300,
        reqSid: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/) as string,
      },
    ]);
  });

  it('sends one order for two taps in the same instant', async () => {
    answerOrders(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return HttpResponse.json(replyTo(filledOrder));
    });
    const { user } = await openSheet();
    await user.click(key('1'));
    await user.click(cta());
    const button = within(await sheet()).getByRole('button', { name: '구매하기' });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent).toHaveLength(1);
  });

  it('shakes and shows the maximum when it is too much, and takes it with 최대', async () => {
    const { user } = await openSheet();
    await user.click(key('9'));
    await user.click(key('9'));
    expect(screen.getByRole('alert')).toHaveTextContent('최대 13주까지 살 수 있어요');
    expect(await screen.findByText('주문 가능 금액보다 6,416,213원 많아요')).toBeVisible();
    expect(cta()).toHaveAttribute('aria-disabled', 'true');
    await user.click(key('최대'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(key('최대')).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: /^수량/ })).toHaveTextContent('13주');
  });

  it('asks for a quantity instead of doing nothing', async () => {
    const { user } = await openSheet();
    await user.click(cta());
    expect(screen.getByRole('alert')).toHaveTextContent('수량을 입력해주세요');
    expect(sent).toHaveLength(0);
  });

  it('reports that a percent of the money does not buy a single unit', async () => {
    const { user } = await openSheet({ terms: { ...samsungTerms, maxBuyQty: 4 } });
    await user.click(key('10%'));
    expect(screen.getByRole('alert')).toHaveTextContent('10%는 1주보다 적어요');
    await user.click(key('50%'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('button', { name: /^수량/ })).toHaveTextContent('2주');
  });

  it('takes hardware keys', async () => {
    const { user } = await openSheet();
    await user.keyboard('12{Backspace}3');
    expect(screen.getByRole('button', { name: /^수량/ })).toHaveTextContent('13주');
    await user.keyboard('{Delete}');
    expect(screen.getByText('몇 주 구매할까요?')).toBeVisible();
  });

  it('confirms again after a move of more than three percent, at the shown price', async () => {
    answerOrders(() => HttpResponse.json(replyTo(filledOrder)));
    let ask = 71_400;
    server.use(
      http.post('*/api/v1/invest/preview', () => HttpResponse.json({ price: ask, amount: ask, fee: 10, tax: 0, total: ask + 10 })),
    );
    const { user } = await openSheet();
    await user.click(key('1'));
    await user.click(cta());
    const confirm = await sheet();
    await waitFor(() => expect(within(confirm).getByText('1주 가격').closest('div')).toHaveTextContent('약 71,400원'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 99, price: 74_000 }]));
    ask = 74_100;
    // The preview is refetched every two seconds.
    await waitFor(() => expect(within(confirm).getByText('1주 가격').closest('div')).toHaveTextContent('약 74,100원'), { timeout: 4_000 });
    const buttons = () => within(confirm).getAllByRole('button').map((button) => button.textContent);
    expect(within(confirm).getByRole('button', { name: '구매하기' }).nextElementSibling).toHaveTextContent('닫기');
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));
    const alert = within(confirm).getByRole('alert');
    expect(alert).toHaveTextContent('가격이 ▲3.78%상승 바뀌었어요. 지금 가격은 약 74,100원이에요. 이 가격으로 주문할까요?');
    // The question is placed between, so that the button moves away from where it was pressed.
    expect(within(confirm).getByRole('button', { name: '구매하기' }).nextElementSibling).toBe(alert);
    expect(buttons().at(-1)).toBe('닫기');
    expect(sent).toHaveLength(0);
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[0]?.bookPrc).toBe(74_000);
  });

  it.each([
    ['01', '주의'],
    ['02', '경고'],
    ['03', '위험'],
  ])('shows warning %s next to the price from the start', async (warnCode, badge) => {
    await openSheet({ item: { ...samsung, warnCode } });
    expect(screen.getByText(badge)).toBeVisible();
  });

  it('shows no warning where there is none', async () => {
    await openSheet();
    expect(screen.queryByText('해당없음')).toBeNull();
  });

  it.each([
    ['02', '투자 경고 종목이에요'],
    ['03', '투자 위험 종목이에요'],
  ])('explains warning %s before the confirmation, and sends the consent', async (warnCode, title) => {
    answerOrders(() => HttpResponse.json(replyTo(filledOrder)));
    const { user, container } = await openSheet({ terms: { ...samsungTerms, warnCode } });
    await user.click(key('1'));
    await user.click(cta());
    const warning = (await screen.findByRole('heading', { name: title })).closest('dialog') as HTMLElement;
    expect(screen.queryByRole('heading', { name: /할까요\?$/ })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(warning).getByRole('button', { name: '알고 주문할게요' }));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await waitFor(() => expect(sent[0]?.riskAck).toBe(true));
  });
});

describe("the server's sums", () => {
  const answerPreview = (preview: object) =>
    server.use(
      http.post('*/api/v1/invest/preview', async ({ request }) => {
        previews.push(await request.json());
        return HttpResponse.json(preview);
      }),
    );

  it('are shown to the won', async () => {
    answerPreview({ price: 71_300, amount: 142_600, fee: 29, tax: 0, total: 142_629, averageAfter: 70_866.67 });
    const { user } = await openSheet();
    await user.click(key('지정가'));
    await user.click(screen.getByRole('button', { name: /^수량/ }));
    await user.click(key('2'));
    await user.click(cta());
    const confirm = await sheet();
    expect(await within(confirm).findByText('142,629원')).toBeVisible();
    expect(within(confirm).getByText('29원')).toBeVisible();
    expect(within(confirm).getByText('70,866.7원')).toBeVisible();
    expect(previews).toEqual([
      { memberSid: MEMBER_SID, isuSrtCd: '005930', side: 'BUY', juPrc: 71_300, juQty: 2, acno: '00' },
    ]);
  });

  it('show the profit of a sale', async () => {
    answerPreview({ price: 71_300, amount: 71_300, fee: 10, tax: 142, total: 71_148, profit: 1_148 });
    const { user } = await openSheet({ side: 'sell' });
    await user.click(key('1'));
    await user.click(cta('판매하기'));
    const confirm = await sheet();
    expect(await within(confirm).findByText(/약 1,148원/)).toBeVisible();
    expect(within(confirm).getByText('약 71,148원')).toBeVisible();
  });
});

it('buys gold by the gram', async () => {
  answerOrders(() => HttpResponse.json(replyTo({ ...filledOrder, isuKorNm: '금', orderCategory: 'GOLD' })));
  const { user } = await openSheet({ item: { ...samsung, isuSrtCd: '04020000', isuKorNm: '금', marketCode: 'GOLD', unit: 'g' } });
  const bought = { order: { ...filledOrder, isuKorNm: '금', orderCategory: 'GOLD' as const }, fills: [fill] };
  server.use(http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json(bought)));
  expect(screen.getByText('몇 g 구매할까요?')).toBeVisible();
  await user.click(key('2'));
  await user.click(cta());
  await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
  await screen.findByRole('heading', { name: '금 구매 주문 완료' });
  expect(sent[0]).toMatchObject({ orderCategory: 'GOLD', juQty: 2 });
});

describe('a limit order', () => {
  it('steps the price by its tick, reports an invalid one, and sends it', async () => {
    answerOrders((body) => HttpResponse.json(replyTo({ ...waitingOrder, juPrc: body.juPrc ?? null })));
    const { user } = await openSheet();
    await user.click(key('지정가'));
    expect(screen.getByRole('button', { name: /^가격7/ })).toHaveTextContent('71,300원');
    for (const digit of '71350') await user.click(key(digit));
    expect(screen.getByRole('alert')).toHaveTextContent('100원 단위로 입력해주세요');
    await user.click(key('가격 올리기'));
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(key('가격 내리기'));
    await user.click(screen.getByRole('button', { name: /^수량/ }));
    await user.click(key('2'));
    await user.click(cta());
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' })).toBeVisible();
    expect(sent[0]).toMatchObject({ juPrc: 71_300, juQty: 2 });
  });
});

describe('a failed order', () => {
  const confirmOne = async (view: Awaited<ReturnType<typeof openSheet>>) => {
    await view.user.click(key('2'));
    await view.user.click(cta());
    await view.user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
  };

  it("shows the server's message word for word, and the next attempt is a new order", async () => {
    const sentence = '주문 가능 금액이 12,345원 모자라요. (서버 문장)';
    answerOrders((_body, attempt) =>
      attempt === 1 ? problem(422, 3009, 'INSUFFICIENT_CASH', sentence) : HttpResponse.json(replyTo(filledOrder)),
    );
    const view = await openSheet();
    await confirmOne(view);
    const dialog = await screen.findByRole('alertdialog');
    expect(within(dialog).getByText(sentence)).toBeVisible();
    await view.user.click(within(dialog).getByRole('button', { name: '확인' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await view.user.click(cta());
    await view.user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[1]?.reqSid).not.toBe(sent[0]?.reqSid);
  });

  it('shows its own message when the server sends none', async () => {
    answerOrders(() => problem(422, 3007, 'PRICE_LIMIT'));
    await confirmOne(await openSheet());
    expect(await screen.findByText('주문하지 못했어요. 잠시 후 다시 시도해주세요.')).toBeVisible();
  });

  it('queries the outcome after a lost reply, without sending the order again', async () => {
    answerOrders(() => HttpResponse.error());
    answerQuestions((_reqSid, question) => (question < 2 ? HttpResponse.error() : HttpResponse.json(replyTo(filledOrder))));
    await confirmOne(await openSheet());
    expect(await screen.findByRole('alertdialog', { name: '주문이 들어갔는지 확인하지 못했어요' })).toBeVisible();
    // The open sheet keeps polling by itself.
    expect(await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' }, { timeout: 4_000 })).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(questions).toEqual([sent[0]?.reqSid, sent[0]?.reqSid]);
  });

  it('reports an order that never arrived, and the next attempt is a new order', async () => {
    answerOrders((_body, attempt) => (attempt === 1 ? HttpResponse.error() : HttpResponse.json(replyTo(filledOrder))));
    answerQuestions(() => problem(422, 3024, 'ORDER_NOT_RECEIVED', '주문이 접수되지 않았어요. 다시 주문해 주세요.'));
    const view = await openSheet();
    await confirmOne(view);
    expect(await screen.findByText('주문이 접수되지 않았어요. 다시 주문해 주세요.')).toBeVisible();
    await view.user.click(screen.getByRole('button', { name: '확인' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await view.user.click(cta());
    await view.user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[1]?.reqSid).not.toBe(sent[0]?.reqSid);
  });

  it('offers a retry only after querying the outcome, and repeats the same request', async () => {
    answerOrders((_body, attempt) => (attempt === 1 ? HttpResponse.error() : HttpResponse.json(replyTo(filledOrder))));
    const view = await openSheet();
    await confirmOne(view);
    const dialog = await screen.findByRole('alertdialog', { name: '주문이 들어갔는지 확인하지 못했어요' });
    expect(sent).toHaveLength(1);
    await view.user.click(within(dialog).getByRole('button', { name: '다시 시도' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[1]).toEqual(sent[0]);
  });

  it('keeps the request id when the same order is confirmed again', async () => {
    answerOrders((_body, attempt) => (attempt === 1 ? HttpResponse.error() : HttpResponse.json(replyTo(filledOrder))));
    const view = await openSheet();
    await confirmOne(view);
    const dialog = await screen.findByRole('alertdialog', { name: '주문이 들어갔는지 확인하지 못했어요' });
    await view.user.click(within(dialog).getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await view.user.click(cta());
    await view.user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[1]?.reqSid).toBe(sent[0]?.reqSid);
  });

  it('blocks the button offline and sends nothing when the connection returns', async () => {
    answerOrders(() => HttpResponse.json(replyTo(filledOrder)));
    const { user } = await openSheet();
    await user.click(key('1'));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText('연결되면 할 수 있어요')).toBeVisible();
    await user.click(cta());
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent).toHaveLength(0);
  });
});

describe('selling', () => {
  it('allows no more than the holding and shows what arrives', async () => {
    const { user } = await openSheet({ side: 'sell' });
    await user.click(key('4'));
    expect(screen.getByRole('alert')).toHaveTextContent('가진 수량보다 많아요');
    await user.click(key('최대'));
    await user.click(cta('판매하기'));
    const confirm = await sheet();
    expect(await within(confirm).findByText('약 213,141원')).toBeVisible();
  });

  it('is blocked while trading is halted', async () => {
    await openSheet({ item: { ...samsung, halted: true } });
    expect(screen.getByText('거래정지')).toBeVisible();
    expect(screen.getByText('지금은 거래가 멈춰 있어요')).toBeVisible();
    expect(cta()).toHaveAttribute('aria-disabled', 'true');
  });

  it('says that an order waits for the single price of an auction', async () => {
    await openSheet({ item: { ...samsung, session: 'AUCTION', vi: 'STATIC' } });
    expect(screen.getByText('VI 발동')).toBeVisible();
    expect(screen.getByText(/잠시 주문을 모으고 있어요/)).toBeVisible();
    act(() => tickStore.apply([{ ...tickFromItem(samsung), session: 'AUCTION' }]));
    expect(await screen.findByText('동시호가')).toBeVisible();
    expect(screen.getByText('지금은 동시호가 시간이에요. 주문을 모아 한 가격에 체결돼요.')).toBeVisible();
  });

  it('reports that there is nothing to sell', async () => {
    await openSheet({ side: 'sell', terms: { ...samsungTerms, sellableQty: 0 } });
    expect(screen.getByText('판매할 수 있는 수량이 없어요')).toBeVisible();
    expect(cta('판매하기')).toHaveAttribute('aria-disabled', 'true');
  });
});

it('is accessible', async () => {
  const { user, container } = await openSheet();
  await user.click(key('지정가'));
  await user.click(key('9'));
  expect(await axeViolations(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: /^가격9/ }));
  await user.click(key('시장가'));
  await user.click(key('1'));
  await user.click(cta());
  await sheet();
  expect(await axeViolations(container)).toEqual([]);
});
