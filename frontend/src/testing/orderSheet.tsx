import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import OrderRoute from '@/app/routes/OrderRoute';
import { ReceiptHost } from '@/features/order/history/ReceiptSheet';
import { startSession } from '@/shared/api/session';
import type { Fill, Item, Order, OrderBody, OrderTerms } from '@/shared/api/types';
import { tickStore } from '@/shared/realtime/tickStore';
import { previewOf } from './previewSample';
import { renderApp } from './renderApp';
import { server } from './server';
import { assets, fill, filledOrder, holding, MEMBER_SID, replyTo, samsung, samsungTerms } from './wireSamples';

export interface World {
  item?: Item;
  terms?: OrderTerms;
  side?: 'buy' | 'sell';
  /** The state of an order after it is sent. */
  order?: Order;
  fills?: Fill[];
}

/** The orders that were sent. */
export const sent: OrderBody[] = [];

export function answer({ item = samsung, terms = samsungTerms, order = filledOrder, fills = [fill] }: World) {
  server.use(
    http.get('*/api/v1/:category/real/code/:code', () => HttpResponse.json(item)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/invest/member/:id/code/:code', () => HttpResponse.json(terms)),
    http.get('*/api/v1/:category/member/:sid/code/:code', () => HttpResponse.json([holding])),
    http.get('*/api/v1/:category/wait/member/:sid/code/:code', () => HttpResponse.json([])),
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order, fills })),
    http.post('*/api/v1/:category/order', async ({ request }) => {
      sent.push((await request.json()) as OrderBody);
      return HttpResponse.json(replyTo(order));
    }),
  );
}

export const render = (side: 'buy' | 'sell') =>
  renderApp(
    <>
      <Routes>
        <Route path="/order/:category/:code" element={<OrderRoute />} />
        <Route path="/my/holdings" element={<p>보유 종목 화면</p>} />
        <Route path="*" element={null} />
      </Routes>
      <ReceiptHost />
    </>,
    { at: `/order/stock/005930?side=${side}` },
  );

export async function openSheet(world: World = {}) {
  answer(world);
  const view = render(world.side ?? 'buy');
  await screen.findByText(world.side === 'sell' ? '보유' : '주문 가능');
  return view;
}

export const key = (name: string) => screen.getByRole('button', { name });
export const field = (name: '수량' | '금액' | '가격') => screen.getByRole('button', { name: new RegExp(`^${name}(?! (올|내))`) });
export const sheet = async () => (await screen.findByRole('heading', { level: 2, name: /할까요\?$/ })).closest('dialog') as HTMLElement;
export const factOf = (place: HTMLElement, label: string) => within(place).getByText(label).closest('div');

/** A new session with the server's previews, before each test. */
export function beginOrders(): void {
  sessionStorage.clear();
  sent.length = 0;
  tickStore.clear();
  server.use(http.post('*/api/v1/invest/preview', async ({ request }) => HttpResponse.json(previewOf((await request.json()) as never))));
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
}
