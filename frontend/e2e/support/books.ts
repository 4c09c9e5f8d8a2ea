import type { Page } from 'playwright-core';

import { api } from './member';

export interface Session {
  memberSid: number;
  token: string;
}

export interface Account {
  total: number;
  base: number;
  accounts: { deposit: number; held: number; available: number; holdingsValue: number }[];
}

export interface Order {
  orderSid: number;
  status: string;
  juPrc: number | null;
  juQty: number;
  orderAmount: number | null;
  endReason: string | null;
  filledQty: number;
  filledAmount: number;
  fee: number;
  tax: number;
}

export interface Fill {
  tickSeq: number;
  slippageTicks: number;
  slippage: number | null;
  fillQty: number;
  amount: number;
  fee: number;
  tax: number;
}

export interface Holding {
  acno: string;
  isuSrtCd: string;
  juQty: number;
  heldQty: number;
}

/** The session in the page's cookies. */
export const sessionOf = async (page: Page): Promise<Session> => {
  const cookies = await page.context().cookies();
  const value = (name: string): string => cookies.find((cookie) => cookie.name === name)?.value ?? '';
  const session = { memberSid: Number(value('memberSid')), token: value('access_token') };
  if (session.token === '') throw new Error('the page holds no session');
  return session;
};

export const accountOf = ({ memberSid, token }: Session): Promise<Account> =>
  api.get<Account>(`/api/v1/invest/account/${String(memberSid)}`, token);

export const accountsOf = async (session: Session): Promise<Account['accounts']> => (await accountOf(session)).accounts;

export const orderOf = ({ token }: Session, orderSid: number): Promise<{ order: Order; fills: Fill[] }> =>
  api.get(`/api/v1/invest/order/${String(orderSid)}`, token);

export const holdingsOf = ({ memberSid, token }: Session, category: 'stock' | 'coin' | 'commodity' = 'stock'): Promise<Holding[]> =>
  api.get(`/api/v1/${category}/member/${String(memberSid)}`, token);

export const waitingOf = ({ memberSid, token }: Session, category: 'stock' | 'coin' = 'stock'): Promise<Order[]> =>
  api.get(`/api/v1/${category}/wait/member/${String(memberSid)}`, token);

interface ApiOrder {
  code: string;
  qty: number;
  /** Null for a market order. */
  price?: number | null;
}

/** Orders outside the screen, as another device of the member would. */
export const buyByApi = (session: Session, order: ApiOrder): Promise<Order> => orderByApi(session, order, '매수주문');

export const sellByApi = (session: Session, order: ApiOrder): Promise<Order> => orderByApi(session, order, '매도주문');

const orderByApi = ({ memberSid, token }: Session, { code, qty, price = null }: ApiOrder, orderGb: string): Promise<Order> => {
  const isCoin = code.startsWith('KRW-');
  return api.post(
    `/api/v1/${isCoin ? 'coin' : 'stock'}/order`,
    {
      acno: '00',
      isuSrtCd: code,
      juPrc: price,
      juQty: qty,
      memberSid,
      orderGb,
      orderCategory: isCoin ? 'COIN' : 'STOCK',
    },
    token,
  );
};
