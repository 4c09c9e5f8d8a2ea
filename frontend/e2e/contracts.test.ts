import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountsOf, type Session } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { press } from './support/mainJob';
import { api } from './support/member';
import { newMemberOn } from './support/session';

interface Interest {
  payout: number;
}

interface Contract {
  acno: string;
  status: string;
  paidIn: number;
  payoutAtMaturity: number;
}

interface Schedule {
  payments: { number: number; dueOn: string; amount: number }[];
  interest: number;
  incomeTax: number;
  localTax: number;
  payout: number;
}

interface CancelInfo {
  interest: number;
  tax: number;
  payout: number;
  loss: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const won = (amount: number): string => `${amount.toLocaleString('ko-KR')}원`;
const dotted = (day: string): string => day.replaceAll('-', '.');

const tapWhenReady = async (button: Locator): Promise<void> => {
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
  await button.tap();
};

/** Won of the basic account, which is listed first. */
const cashOf = async (session: Session): Promise<number> => (await accountsOf(session))[0]?.deposit ?? Number.NaN;

const contractsOf = ({ memberSid, token }: Session): Promise<Contract[]> =>
  api.get<Contract[]>(`/api/v1/product/member/${String(memberSid)}`, token);

const ofContract = <Reply>({ memberSid, token }: Session, acno: string, what: string): Promise<Reply> =>
  api.get<Reply>(`/api/v1/product/account/${acno}/member/${String(memberSid)}/${what}`, token);

/** Counts the requests that would open a contract. */
const watchJoins = (page: Page): (() => number) => {
  let joins = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/product')) joins += 1;
  });
  return () => joins;
};

// J19: from the list to savings, their schedule, and out of them again.
test.each([
  ['light', false],
  ['dark', true],
])('savings are joined for exactly their sum, and closed for what the sheet said, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  const joins = watchJoins(page);
  await page.goto('/invest-v2/product?tab=04&sort=rate');
  await page.getByRole('tab', { name: '적금' }).tap();
  await page.getByRole('link', { name: '텔레파시적금' }).tap();
  await page.getByRole('textbox', { name: '매달 넣을 금액' }).fill('100000');
  const question = '/api/v1/product/36/interest?amount=100000&saveTrm=12&intrRateType=01&rsrvType=S';
  const best = await api.get<Interest>(`${question}&best=true`);
  await page.getByText(`12개월 뒤 ${won(best.payout)} 받아요`).first().waitFor();
  await page.getByRole('button', { name: '입력 완료' }).tap();
  await expectAccessible(page);
  await page.getByRole('link', { name: '가입하기' }).tap();

  // The rate of the calculator is kept; without the preferential conditions the base rate counts.
  const preferential = page.getByRole('checkbox', { name: '우대 조건을 채운다고 할게요' });
  await expect.poll(() => preferential.isChecked()).toBe(true);
  await page.getByText(`12개월 뒤 ${won(best.payout)} 받아요`).first().waitFor();
  await preferential.tap();
  const base = await api.get<Interest>(`${question}&best=false`);
  await page.getByText(`12개월 뒤 ${won(base.payout)} 받아요`).first().waitFor();
  await page.getByText('기본 계좌에서 나가요. 지금 5,000,000원 있어요.').waitFor();
  await page.getByRole('combobox', { name: '매달 넣는 날' }).selectOption('5일');
  await expectAccessible(page);
  await tapWhenReady(page.getByRole('button', { name: '가입하기' }));
  const confirmation = page.getByRole('dialog', { name: '텔레파시적금에 가입할까요?' });
  await confirmation.getByText('4,900,000원').waitFor();
  await confirmation.getByText(won(base.payout)).waitFor();
  await expectAccessible(page);
  const join = confirmation.getByRole('button', { name: '가입하기' });
  await expect.poll(() => join.getAttribute('aria-disabled')).toBe(null);
  const box = await join.boundingBox();
  if (box === null) throw new Error('the confirming button is not shown');
  // Twice, as an impatient thumb does.
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByRole('heading', { level: 1, name: '텔레파시적금에 가입했어요' }).waitFor();
  await expectAccessible(page);
  expect(joins()).toBe(1);
  expect(await cashOf(session)).toBe(4_900_000);
  const [contract, ...others] = await contractsOf(session);
  expect(others).toEqual([]);
  expect(contract).toMatchObject({ status: 'ACTIVE', paidIn: 100_000, payoutAtMaturity: base.payout });
  const acno = contract?.acno ?? '';
  await tapWhenReady(page.getByRole('button', { name: '내 예적금 보기' }));

  const schedule = await ofContract<Schedule>(session, acno, 'schedule');
  expect(schedule.payments).toHaveLength(12);
  await page.getByRole('img', { name: /넣은 돈 1,200,000원, 이자/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '표로 보기' }).tap();
  const table = page.getByRole('dialog', { name: '돈이 쌓이는 과정' });
  const rows = await table.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.replaceAll('\t', ' ').replaceAll('\n', ' '))).toEqual([
    ...schedule.payments.map(({ number, dueOn, amount }) => `${dotted(dueOn)} ${String(number + 1)}회차${number === 0 ? '' : ' 예정'} ${won(amount)}`),
    expect.stringMatching(new RegExp(` 이자 ${won(schedule.interest)}$`)),
    expect.stringMatching(new RegExp(` 세금 -${won(schedule.incomeTax + schedule.localTax)}$`)),
    expect.stringMatching(new RegExp(` 만기 지급 ${won(schedule.payout)}$`)),
  ]);
  await expectAccessible(page);
  await table.getByRole('button', { name: '닫기' }).tap();
  await table.waitFor({ state: 'hidden' });

  const info = await ofContract<CancelInfo>(session, acno, 'cancel-info');
  await page.getByRole('button', { name: '해지하기' }).tap();
  const closing = page.getByRole('dialog', { name: `지금 해지하면 ${won(info.payout)} 받아요` });
  await closing.getByText(`만기까지 두면 ${won(info.loss)} 더 받을 수 있어요`).waitFor();
  await expectAccessible(page);
  await tapWhenReady(closing.getByRole('button', { name: '해지하기' }));
  await page.getByRole('heading', { level: 1, name: '텔레파시적금을 해지했어요' }).waitFor();
  await page.getByText('기본 계좌 잔액').waitFor();
  await expectAccessible(page);
  expect(info.payout).toBe(100_000 + info.interest - info.tax);
  expect(await cashOf(session)).toBe(4_900_000 + info.payout);
  await page.goto('/my/contracts');
  await page.getByRole('region', { name: '끝난 예적금' }).getByText('중도 해지').waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);

test('another payout than the sheet showed is asked about again', async () => {
  const { context, page } = await openPhone(browser);
  const session = await newMemberOn(context);
  const { memberSid, token } = session;
  const body = { memberSid, productSid: 1, saveTrm: 12, amount: 1_000_000, reqSid: crypto.randomUUID() };
  const { contract } = await api.post<{ contract: Contract }>('/api/v1/product', body, token);
  // The phone shows a sum of before; the server knows the one of now.
  let isOld = true;
  await page.route('**/cancel-info', async (route) => {
    const response = await route.fetch();
    const info = (await response.json()) as CancelInfo;
    await route.fulfill({ response, json: isOld ? { ...info, payout: 999_999 } : info });
  });
  await page.goto(`/my/contracts/${contract.acno}?close`);
  const old = page.getByRole('dialog', { name: '지금 해지하면 999,999원 받아요' });
  await old.waitFor();
  isOld = false;
  await tapWhenReady(old.getByRole('button', { name: '해지하기' }));
  const now = page.getByRole('dialog', { name: '지금 해지하면 1,000,000원 받아요' });
  await now.getByText('그사이 받을 돈이 바뀌었어요. 다시 확인해주세요.').waitFor();
  await expectAccessible(page);
  expect(await cashOf(session)).toBe(4_000_000);
  await tapWhenReady(now.getByRole('button', { name: '해지하기' }));
  await page.getByRole('heading', { level: 1, name: 'WON플러스예금을 해지했어요' }).waitFor();
  expect(await cashOf(session)).toBe(5_000_000);
  await context.close();
});

test('money is paid into free saving once, for exactly what was typed', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const { memberSid, token } = session;
  const body = { memberSid, productSid: 44, saveTrm: 12, amount: 50_000, reqSid: crypto.randomUUID() };
  const { contract } = await api.post<{ contract: Contract }>('/api/v1/product', body, token);
  await page.goto(`/my/contracts/${contract.acno}`);
  await page.getByRole('button', { name: '돈 넣기' }).tap();
  await page.getByText('2,950,000원까지 넣을 수 있어요').waitFor();
  await press(page, '2950001');
  await page.getByRole('alert').filter({ hasText: '지금은 2,950,000원까지 넣을 수 있어요' }).waitFor();
  for (let digits = 0; digits < 7; digits += 1) await page.getByRole('button', { name: '한 글자 지우기' }).tap();
  await press(page, '30000');
  await expectAccessible(page);
  await page.getByRole('button', { name: '넣기', exact: true }).tap();

  const sent: string[] = [];
  await page.route('**/api/v1/product/payment', async (route) => {
    sent.push(route.request().postData() ?? '');
    // The server acts, and its first reply never arrives.
    const response = await route.fetch();
    if (sent.length === 1) await route.abort();
    else await route.fulfill({ response });
  });
  const confirmation = page.getByRole('dialog', { name: '30,000원을 지금 넣을까요?' });
  await confirmation.getByText('80,000원').waitFor();
  await expectAccessible(page);
  await tapWhenReady(confirmation.getByRole('button', { name: '넣기' }));
  const unknown = page.getByRole('alertdialog', { name: '처리됐는지 확인하지 못했어요' });
  await tapWhenReady(unknown.getByRole('button', { name: '다시 시도' }));
  await page.getByText('30,000원을 넣었어요').first().waitFor();
  await page.getByRole('region', { name: 'KB차차차 적금' }).getByText('80,000원').waitFor();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);
  expect(await cashOf(session)).toBe(4_920_000);
  expect((await contractsOf(session))[0]?.paidIn).toBe(80_000);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 60_000);

test('more than the account holds cannot be saved, and offline nothing is joined', async () => {
  const { context, page } = await openPhone(browser);
  await newMemberOn(context);
  const joins = watchJoins(page);
  await page.goto('/my/contracts/join/1?amount=5000001&term=12&type=01');
  await page.getByText('기본 계좌에 1원이 모자라요').waitFor();
  await page.getByRole('button', { name: '가입하기' }).tap({ force: true });
  await page.goto('/my/contracts/join/1?amount=1000000&term=12&type=01');
  await expect.poll(() => page.getByRole('button', { name: '가입하기' }).getAttribute('aria-disabled')).toBe(null);
  await context.setOffline(true);
  await page.getByText('연결되면 할 수 있어요').waitFor();
  await page.getByRole('button', { name: '가입하기' }).tap({ force: true });
  await context.setOffline(false);
  await page.getByText('연결되면 할 수 있어요').waitFor({ state: 'hidden' });
  expect(joins()).toBe(0);
  await context.close();
});
