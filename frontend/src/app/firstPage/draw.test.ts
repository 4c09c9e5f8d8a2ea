// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLastKnown, writeLastKnown } from '@/features/offline/lastKnown';
import { queryKeys } from '@/shared/api/queryKeys';
import { clearSessionCookies, writeSessionCookies } from '@/shared/api/sessionCookies';
import { MEMBER_SID, samsung } from '@/testing/wireSamples';
import { drawHome } from './drawHome';
import { drawPrices } from './drawPrices';

const apple = { ...samsung, isuSrtCd: 'AAPL', isuKorNm: '애플', marketCode: 'stocks', currency: 'USD', trdPrc: 200, prevDdPrc: 204, fxRt: 1_400 };
const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' };
const shiba = { ...bitcoin, isuSrtCd: 'KRW-SHIB', isuKorNm: '시바이누', trdPrc: 0.02, prevDdPrc: 0.02 };
const ROW = '<div class="boot-row"><i></i><b></b><s></s></div>';

function open(path: string, boot: string, answer: unknown): void {
  history.replaceState(null, '', path);
  document.documentElement.dataset.boot = boot;
  document.head.innerHTML = `<script type="application/json" id="first-prices">${JSON.stringify({ at: Date.now(), read: '', answer })}</script>`;
  document.body.innerHTML = `<main class="boot"><div class="boot-home"><p>홈</p><i></i><i></i></div><div class="boot-detail"><i></i></div>${ROW}${ROW}</main>`;
}

const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

beforeEach(() => localStorage.clear());
afterEach(() => {
  delete document.documentElement.dataset.boot;
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  history.replaceState(null, '', '/');
  clearSessionCookies();
});

it('draws names and prices into the rows of a list', () => {
  open('/invest-v2/stock', 'stock', [samsung, apple]);
  drawPrices();
  expect(texts('.boot-row')).toEqual(['삼성전자🇰🇷00593071,300원▲1.57%', '애플🇺🇸AAPL280,000원$200.00▼1.96%']);
  open('/invest-v2/coin', 'coin', [bitcoin, shiba]);
  drawPrices();
  expect(texts('.boot-row')).toEqual(['비트코인KRW-BTC ·\u00a024시간71,300원▲1.57%', '시바이누KRW-SHIB ·\u00a024시간0.0200원0%']);
});

it.each(['tab=kospi', 'sort=rateUp'])('leaves the rows of another selection to the client: %s', (choice) => {
  open(`/invest-v2/stock?${choice}`, 'stock', [samsung]);
  drawPrices();
  expect(texts('.boot-row')).toEqual(['', '']);
});

it('draws name, price and change of a detail', () => {
  open('/invest-v2/stock/005930', 'detail', samsung);
  drawPrices();
  expect(texts('.boot-hero > *')).toEqual(['삼성전자', '71,300원', '전일보다▲1,100원 (1.57%)']);
  open('/invest-v2/stock/005930', 'detail', { ...samsung, trdPrc: 142_352_000, prevDdPrc: 142_355_000 });
  drawPrices();
  expect(texts('.boot-change')).toEqual(['전일보다▼3,000원 (0.01% 미만)']);
  open('/invest-v2/coin/KRW-SHIB', 'detail', shiba);
  drawPrices();
  expect(texts('.boot-price')).toEqual(['0.0200원']);
  open('/invest-v2/stock/AAPL', 'detail', apple);
  drawPrices();
  expect(texts('.boot-hero > *')).toEqual(['애플', '280,000원', '$200.00', '전일보다▼$4.00 (1.96%)']);
});

it('draws nothing without embedded prices', () => {
  open('/invest-v2/stock', 'stock', undefined);
  drawPrices();
  expect(texts('.boot-row')).toEqual(['', '']);
});

const known = { key: queryKeys.assets(MEMBER_SID), atMs: Date.now() - 60_000, data: { total: 10_234_000 } };

it('draws the last known money of the member and its time on home', () => {
  writeSessionCookies({ accessToken: 'token', memberSid: MEMBER_SID });
  writeLastKnown({ memberSid: MEMBER_SID, build: '' }, [known]);
  open('/home', 'home', undefined);
  drawHome();
  const [label = '', figure] = texts('.boot-home > i');
  expect(label).toMatch(/^내 총자산.*\d\d:\d\d 기준$/);
  expect(figure).toBe('10,234,000원');
});

it('draws no money for another member, or while amounts are hidden', () => {
  writeSessionCookies({ accessToken: 'token', memberSid: MEMBER_SID });
  writeLastKnown({ memberSid: MEMBER_SID, build: '' }, [known]);
  localStorage.setItem('preferences', '{"hideAmounts":true}');
  open('/home', 'home', undefined);
  drawHome();
  expect(texts('.boot-home > i')).toEqual(['', '']);
  localStorage.removeItem('preferences');
  clearSessionCookies();
  drawHome();
  writeSessionCookies({ accessToken: 'token', memberSid: MEMBER_SID + 1 });
  drawHome();
  expect(texts('.boot-home > i')).toEqual(['', '']);
  expect(readLastKnown({ memberSid: MEMBER_SID, build: '' }, Date.now())).toEqual([]);
});
