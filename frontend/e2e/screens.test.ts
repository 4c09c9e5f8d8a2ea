import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buyByApi, orderOf, type Session } from './support/books';
import { expectAccessible, launchBrowser, openPhone, type Phone } from './support/browser';
import { press } from './support/mainJob';
import { newcomer } from './support/member';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';
import { fillIn } from './support/screen';

const WIDE = { width: 412, height: 915 };
const NARROW = { width: 320, height: 640 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** No axe violation, and no horizontal scrolling on a small phone. */
const expectSound = async (page: Page): Promise<void> => {
  await expectAccessible(page);
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width, { message: `${page.url()} at ${String(size.width)} px` }).toBeLessThanOrEqual(size.width);
  }
};

/** Opens an address and waits for its content. */
const visit = async (page: Page, path: string, sign: string): Promise<void> => {
  await page.goto(path);
  await page.getByText(sign).filter({ visible: true }).first().waitFor();
};

const closeSheet = async (page: Page, name: string | RegExp): Promise<void> => {
  const sheet = page.getByRole('dialog', { name });
  await sheet.getByRole('button', { name: '닫기' }).first().tap();
  await sheet.waitFor({ state: 'hidden' });
};

describe.each([
  ['light', false],
  ['dark', true],
])('in %s', (_theme, dark) => {
  let phone: Phone;
  const stranger = async (): Promise<Phone> => {
    phone = await openPhone(browser, { dark });
    return phone;
  };
  const member = async (): Promise<Phone & { session: Session }> => {
    await stranger();
    return { ...phone, session: await newMemberOn(phone.context) };
  };
  const done = async (): Promise<void> => {
    expect(phone.pageErrors).toEqual([]);
    await phone.context.close();
  };

  test('lists and the search', async () => {
    const { page } = await stranger();
    await page.goto('/invest-v2/stock');
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await expectSound(page);
    await page.goto('/invest-v2/stock?tab=us');
    await page.getByRole('combobox', { name: '정렬' }).waitFor();
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await expectSound(page);
    await visit(page, '/invest-v2/coin', '비트코인');
    await expectSound(page);
    await page.goto('/invest-v2/stock');
    await page.getByRole('button', { name: '주식 종목을 입력하세요' }).tap();
    await page.getByRole('dialog').getByRole('heading', { name: '주식 인기' }).waitFor();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await expectSound(page);
    await fillIn(page.getByRole('textbox', { name: '종목 검색' }).or(page.getByRole('searchbox', { name: '종목 검색' })), '삼성');
    await page.getByRole('dialog').getByRole('link', { name: '삼성전자', exact: true }).waitFor();
    await expectSound(page);
    await fillIn(page.getByRole('textbox', { name: '종목 검색' }).or(page.getByRole('searchbox', { name: '종목 검색' })), '없는종목이름');
    await page.getByText("'없는종목이름'에 대한 검색 결과가 없습니다.").waitFor();
    await expectSound(page);
    await done();
  });

  test('details, and their chart as a table', async () => {
    const { page } = await stranger();
    for (const [path, name] of [
      ['/invest-v2/stock/005930', '삼성전자'],
      ['/invest-v2/stock/AAPL', '애플'],
      ['/invest-v2/stock-etf/069500', 'KODEX 200'],
      ['/invest-v2/coin/KRW-BTC?refMarketCode=coin', '비트코인'],
    ] as const) {
      await visit(page, path, name);
      await page.getByRole('img', { name: `${name} 1일 차트.` }).waitFor();
      await expectSound(page);
    }
    await page.getByRole('button', { name: '봉 차트로 보기' }).tap();
    await page.getByRole('button', { name: '표로 보기' }).tap();
    await page.getByRole('dialog').getByRole('table').waitFor();
    await expectSound(page);
    await closeSheet(page, /시세$/);
    await visit(page, '/invest-v2/stock/999999', '종목을 찾을 수 없어요');
    await expectSound(page);
    await done();
  });

  test('gold, the market trend and the way to a new password', async () => {
    const { page } = await stranger();
    for (const [path, sign] of [
      ['/invest-v2/gold', '국내 금'],
      ['/invest-v2/gold/04020000', '국제 금값과 비교'],
      ['/market-trend', '많이 오른'],
      ['/password/reset', '가입한 이메일을 알려주세요'],
    ] as const) {
      await visit(page, path, sign);
      await expectSound(page);
    }
    await done();
  });

  test('accounts, likes, the history and the settings', async () => {
    const { page } = await member();
    for (const [path, sign] of [
      ['/my/account', '기본 계좌'],
      ['/my/contracts', '아직 가입한 예적금이 없어요'],
      ['/my/likes', '관심 종목이 없어요'],
      ['/my/orders/history', '이 기간에는 주문 내역이 없어요'],
      ['/my/dividends', '아직 배당 내역이 없어요'],
      ['/settings', '화면 테마'],
      ['/settings/profile', '닉네임'],
      ['/settings/password', '지금 비밀번호'],
      ['/settings/email', '이메일'],
      ['/settings/notifications', '방해 금지 시간'],
      ['/notifications', '아직 온 알림이 없어요'],
    ] as const) {
      await visit(page, path, sign);
      await expectSound(page);
    }
    await done();
  });

  test('login, the steps of joining, the terms, and an address that does not exist', async () => {
    const { page } = await stranger();
    await visit(page, '/login', '로그인하고 투자 연습을 이어가요');
    await expectSound(page);
    await page.getByRole('button', { name: '로그인', exact: true }).tap();
    await page.getByText('이메일을 입력해주세요').waitFor();
    await expectSound(page);
    await visit(page, '/terms', '이용약관');
    await expectSound(page);
    await visit(page, '/privacy', '개인정보 처리방침');
    await expectSound(page);
    await visit(page, '/no/such/screen', '찾는 페이지가 없어요');
    await expectSound(page);

    const person = newcomer();
    await visit(page, '/join', '약관에 동의해주세요');
    await expectSound(page);
    await page.getByRole('button', { name: '다음' }).tap();
    await page.getByText('[필수] 항목에 모두 동의해주세요').waitFor();
    await expectSound(page);
    await page.getByRole('checkbox', { name: '전체 동의' }).check();
    await page.getByRole('button', { name: '다음' }).tap();
    await fillIn(page.getByLabel('이메일'), person.email);
    await fillIn(page.getByLabel('비밀번호', { exact: true }), person.password);
    await expectSound(page);
    await page.getByRole('button', { name: '다음' }).tap();
    await fillIn(page.getByLabel('닉네임'), person.nickname);
    await fillIn(page.getByLabel('출생연도'), '1996');
    await expectSound(page);
    await page.getByRole('button', { name: '가입하기' }).tap();
    await page.getByText('가상 머니 500만원으로 연습을 시작해요').waitFor();
    await expectSound(page);
    await done();
  });

  test('the order sheet, its confirmation, its result with the receipt, and what waits and is held', async () => {
    const { page, session } = await member();
    await visit(page, '/my/holdings', '아직 보유한 종목이 없어요');
    await expectSound(page);
    await visit(page, '/my/orders/wait', '대기 중인 주문이 없어요');
    await expectSound(page);
    await visit(page, '/my', '내 총자산');
    await expectSound(page);

    const coin = await buyByApi(session, { code: 'KRW-BTC', qty: 0.001 });
    await eventually('the coin is bought', async () => (await orderOf(session, coin.orderSid)).order.status === 'FILLED');
    await buyByApi(session, { code: '005930', qty: 1, price: 200_000 });
    await page.goto('/order/stock/047040?side=buy');
    await page.getByRole('heading', { level: 1, name: '대우건설 구매' }).waitFor();
    await page.getByRole('button', { name: '지정가' }).tap();
    await expectSound(page);
    await page.getByRole('button', { name: '시장가' }).tap();
    await press(page, '2');
    await expectSound(page);
    await page.getByRole('button', { name: '구매하기' }).tap();
    const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
    await sheet.waitFor();
    await expectSound(page);
    await sheet.getByRole('button', { name: '구매하기' }).tap();
    await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: 30_000 });
    await expectSound(page);
    await page.getByRole('button', { name: '왜 이 가격?' }).tap();
    await page.getByRole('dialog', { name: '왜 이 가격?' }).getByText('체결 금액').first().waitFor();
    await expectSound(page);
    await closeSheet(page, '왜 이 가격?');

    await page.goto('/order/coin/KRW-BTC?side=sell');
    await page.getByRole('button', { name: '50%' }).tap();
    await expectSound(page);
    await page.goto('/my/orders/wait');
    await page.getByRole('button', { name: '삼성전자 주문 정정하거나 취소하기' }).waitFor();
    await expectSound(page);
    await page.getByRole('button', { name: '삼성전자 주문 정정하거나 취소하기' }).tap();
    await page.getByRole('menuitem', { name: '취소' }).tap();
    await page.getByRole('dialog', { name: '주문을 취소할까요?' }).waitFor();
    await expectSound(page);
    await visit(page, '/my/holdings', '대우건설');
    await expectSound(page);
    await visit(page, '/invest-v2/stock/047040', '내 보유');
    await page.getByRole('img', { name: '대우건설 1일 차트.' }).waitFor();
    await expectSound(page);
    await done();
  });
});
