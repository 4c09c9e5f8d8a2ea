import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

/** The least that an article is open before it can be completed. */
const READING_MS = 31_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Chooses as many options as the question wants, from the first on. */
const choose = async (page: Page): Promise<void> => {
  const options = page.locator('fieldset input');
  await options.first().waitFor({ state: 'attached' });
  const asked = await page.getByText(/^\d개 골라주세요$/).textContent({ timeout: 500 }).catch(() => null);
  for (let index = 0; index < Number(asked?.[0] ?? 1); index += 1) await options.nth(index).check({ force: true });
};

const answer = async (page: Page): Promise<void> => {
  await choose(page);
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('heading', { name: /정답이에요!|아쉬워요/ }).waitFor();
};

test('J23 daily quiz: answers with explanations, a run that is left and resumed, a failed save, and points', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/study-v2');
  await page.getByRole('link', { name: '풀고 포인트 받기' }).tap();
  await page.getByRole('progressbar', { name: '퀴즈 진행' }).waitFor();
  await expectAccessible(page);
  await answer(page);
  await page.getByRole('region', { name: '해설' }).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: '다음 문제' }).tap();
  await page.getByRole('button', { name: '퀴즈 닫기' }).tap();
  await page.getByText('지금까지 푼 문제는 저장했어요').waitFor();
  await page.getByRole('button', { name: '나가기' }).tap();
  await page.waitForURL('**/study-v2');
  await page.getByRole('img', { name: '5문제 중 1문제 풀었어요' }).waitFor();
  await page.getByRole('link', { name: '이어서 풀기' }).tap();
  await expect.poll(() => page.getByRole('progressbar', { name: '퀴즈 진행' }).getAttribute('aria-valuenow')).toBe('1');

  await page.route('**/study-complete/**', (route) => route.abort(), { times: 1 });
  await choose(page);
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByText('결과를 저장하지 못했어요').waitFor();
  await page.getByRole('button', { name: '다시 저장' }).tap();
  await page.getByRole('heading', { name: /정답이에요!|아쉬워요/ }).waitFor();
  for (let left = 3; left > 0; left -= 1) {
    await page.getByRole('button', { name: '다음 문제' }).tap();
    await answer(page);
  }
  await page.getByRole('button', { name: '결과 보기' }).tap();
  await page.getByText(/^\d문제 맞혔어요$/).waitFor();
  await page.getByText('세트 완료 보너스 10P').waitFor();
  await expectAccessible(page);
  await page.goto('/study-v2');
  await page.getByText('오늘의 퀴즈를 다 풀었어요').waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);

test('J23 daily quiz without a connection: answers wait, marked, and are graded on return', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/study-v2/quiz/random');
  await page.locator('fieldset input').first().waitFor({ state: 'attached' });
  await context.setOffline(true);
  await choose(page);
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('heading', { name: '답을 적어 뒀어요' }).waitFor();
  await page.getByRole('button', { name: '다음 문제' }).tap();
  await context.setOffline(false);
  await page.getByText('적어 둔 답 1개를 채점했어요').waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
}, 90_000);

test.each([
  ['light', false],
  ['dark', true],
])('J24 a theme, and an article that moves to the read ones, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  await newMemberOn(context);
  await page.goto('/study-v2/quiz/theme');
  await page.getByRole('link', { name: /예금과 적금/ }).tap();
  for (let index = 0; index < 5; index += 1) {
    await answer(page);
    await page.getByRole('button', { name: /다음 문제|결과 보기/ }).tap();
  }
  await page.getByRole('link', { name: '아티클 읽기' }).tap();
  const unread = page.getByRole('tabpanel').getByRole('link').first();
  await unread.waitFor();
  await expectAccessible(page);
  const href = (await unread.getAttribute('href')) ?? '';
  await unread.tap();
  const done = page.getByRole('button', { name: /^다 읽었어요/ });
  await done.waitFor();
  await expectAccessible(page);
  await page.waitForTimeout(READING_MS);
  await page.getByRole('button', { name: '끝으로 건너뛰기' }).tap();
  await done.tap();
  const question = page.getByRole('dialog', { name: '확인 문제' });
  const options = question.getByRole('radio');
  await options.first().waitFor({ state: 'attached' });
  // A wrong try reveals nothing, and the question may be tried again.
  for (let index = 0; index < (await options.count()); index += 1) {
    await options.nth(index).check();
    await question.getByRole('button', { name: '확인', exact: true }).tap();
    await page.getByText(/아쉬워요|P 받았어요|다 읽은 글이에요/).first().waitFor();
    if (await page.getByText('도움이 됐나요?').isVisible()) break;
  }
  await page.getByText('도움이 됐나요?').waitFor();
  await page.goto('/study-v2/articles?tab=history');
  await page.locator(`a[href="${href}"]`).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
}, 150_000);

test('J24 the search of articles asks 200 ms after typing, and for fifteen at most', async () => {
  const { context, page } = await openPhone(browser);
  await page.goto('/study-v2/articles');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/articles/search/')) asked.push(decodeURIComponent(new URL(request.url()).pathname));
  });
  await page.getByRole('button', { name: '아티클 검색' }).tap();
  await page.getByText('검색어를 입력하세요.').waitFor();
  await page.getByPlaceholder('아티클을 검색하세요').pressSequentially('예금', { delay: 20 });
  await page.getByRole('dialog').getByRole('link').first().waitFor();
  expect(asked).toEqual(['/api/v1/education/articles/search/예금/15']);
  await expectAccessible(page);
  await context.close();
}, 60_000);
