import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';
import type { Session } from './support/books';
import { fillIn } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const overlayOf = (page: Page): Locator => page.getByRole('dialog', { name: '종목 검색' });
const fieldOf = (page: Page): Locator => overlayOf(page).getByRole('searchbox', { name: '종목 검색' });

const openSearch = async (page: Page, path = '/invest-v2/stock', placeholder = '주식 종목을 입력하세요'): Promise<void> => {
  if (new URL(page.url(), 'http://nowhere').pathname !== path) await page.goto(path);
  await page.getByRole('button', { name: placeholder }).tap();
  await fieldOf(page).waitFor();
};

/** Composes Korean as a phone's keyboard does: syllables change until they are committed. */
const compose = async (keyboard: CDPSession, steps: readonly string[]): Promise<void> => {
  for (const text of steps) await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
};

const searchesOf = async ({ memberSid, token }: Session): Promise<string[]> =>
  (await api.get<{ searchTxtList: string[] }>(`/api/v1/search/member/${String(memberSid)}/type/STOCK`, token)).searchTxtList;

// J10: searching while syllables are being composed.
test('half-typed Korean finds shares page by page, Enter within a syllable sends nothing, and searches are stored', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const pagesAsked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/get-stock-list')) pagesAsked.push(`${searchParams.get('searchTxt') ?? ''} ${searchParams.get('searchPage') ?? ''}`);
  });
  await openSearch(page);
  const overlay = overlayOf(page);
  await expect.poll(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true);

  // The focus ring is inside the scrolling area, which clips everything else.
  const ring = await fieldOf(page).evaluate((field) => {
    const box = field.closest('form') as HTMLElement;
    const { outlineWidth, outlineOffset } = getComputedStyle(box);
    const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const clip = (field.closest('[data-sheet-content]') as HTMLElement).getBoundingClientRect();
    return { width: parseFloat(outlineWidth), isWhole: box.getBoundingClientRect().top - reach >= clip.top };
  });
  expect(ring).toEqual({ width: 2, isWhole: true });

  const keyboard = await context.newCDPSession(page);
  await compose(keyboard, ['ㅅ', '사', '삼']);
  const first = overlay.getByRole('link', { name: '삼성전자', exact: true });
  await first.waitFor();
  await page.keyboard.press('Enter');
  await compose(keyboard, ['삼ㅅ', '삼서', '삼성']);
  await keyboard.send('Input.insertText', { text: '삼성' });
  await expect.poll(() => fieldOf(page).inputValue()).toBe('삼성');
  await first.waitFor();
  await expectAccessible(page);
  expect(new URL(page.url()).pathname).toBe('/invest-v2/stock');
  // Fewer than twenty results: there is no second page.
  expect(pagesAsked.filter((asked) => asked.endsWith(' 2'))).toEqual([]);

  // Twenty results request another page, and a shorter page is the last.
  await fillIn(fieldOf(page), '한');
  const rows = overlay.getByRole('tabpanel').getByRole('list').last().getByRole('listitem');
  await overlay.getByRole('link', { name: '한화오션', exact: true }).waitFor();
  await eventually('the end of what was found is reached', async () => {
    await rows.last().scrollIntoViewIfNeeded({ timeout: 2_000 });
    return (await overlay.getByText('다 봤어요').count()) === 1;
  }, 60_000);
  expect(pagesAsked.filter((asked) => asked.startsWith('한 ')).sort()).toEqual(['한 1', '한 2']);

  await fillIn(fieldOf(page), '삼성전');
  await first.waitFor();
  await first.tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/stock/005930');
  await page.getByRole('heading', { level: 1, name: '삼성전자' }).waitFor();
  await eventually('the search is kept', async () => (await searchesOf(session))[0] === '삼성전');

  await openSearch(page);
  await overlay.getByRole('button', { name: '삼성전', exact: true }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

// J11: recent searches.
test('recent searches are repeated, deleted one by one and all at once; the chosen tab stays, and closing leads to its list', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  for (const searchTxt of ['현대', '카카오', '네이버']) {
    await api.post('/api/v1/search/search', { memberSid: session.memberSid, searchTxt, type: 'STOCK' }, session.token);
  }
  await openSearch(page);
  const overlay = overlayOf(page);
  const chips = overlay.getByRole('region', { name: '최근 검색' }).getByRole('listitem');
  await expect.poll(() => chips.allInnerTexts()).toEqual(['네이버', '카카오', '현대']);
  await expectAccessible(page);

  await overlay.getByRole('button', { name: '카카오 검색 기록 삭제' }).tap();
  await expect.poll(() => chips.allInnerTexts()).toEqual(['네이버', '현대']);
  await eventually('one search is forgotten', async () => (await searchesOf(session)).join() === '네이버,현대');

  await overlay.getByRole('button', { name: '현대', exact: true }).tap();
  await overlay.getByRole('link', { name: '현대차', exact: true }).waitFor();
  expect(await fieldOf(page).inputValue()).toBe('현대');
  await overlay.getByRole('button', { name: '지우기', exact: true }).tap();

  await overlay.getByRole('button', { name: '전체 삭제' }).tap();
  const question = page.getByRole('dialog', { name: '검색 기록을 모두 지울까요?' });
  await question.getByRole('button', { name: '닫기' }).tap();
  await question.waitFor({ state: 'hidden' });
  expect(await chips.count()).toBe(2);
  await overlay.getByRole('button', { name: '전체 삭제' }).tap();
  await question.getByRole('button', { name: '지우기' }).tap();
  await question.waitFor({ state: 'hidden' });
  await overlay.getByText('최근 검색 기록이 없습니다.').waitFor();
  await eventually('every search is forgotten', async () => (await searchesOf(session)).length === 0);

  // A search that cannot be stored does not delay the navigation.
  await context.route('**/api/v1/search/search', (route) => route.fulfill({ status: 500, body: '{}' }));
  await fillIn(fieldOf(page), '삼성전자');
  await overlay.getByRole('link', { name: '삼성전자', exact: true }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자' }).waitFor();
  await overlay.waitFor({ state: 'hidden' });
  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/invest-v2/stock');

  // The chosen tab survives closing and a reload; closing leads to the list of that kind and clears the text.
  await openSearch(page);
  await overlay.getByRole('tab', { name: '코인', exact: true }).tap();
  await overlay.getByRole('heading', { name: '코인 인기' }).waitFor();
  await fillIn(fieldOf(page), '비트');
  await overlay.getByRole('link', { name: '비트코인', exact: true }).waitFor();
  await overlay.getByRole('button', { name: '닫기' }).first().tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/coin');
  await page.reload();
  await openSearch(page, '/invest-v2/coin', '코인 종목을 입력하세요');
  expect(await fieldOf(page).inputValue()).toBe('');
  expect(await overlay.getByRole('tab', { name: '코인', exact: true }).getAttribute('aria-selected')).toBe('true');
  expect(pageErrors).toEqual([]);
  await context.close();
});

// J12: no results, and a failing search.
test('no results are reported with the text; only the product search reports its failure', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await openSearch(page);
  const overlay = overlayOf(page);
  await fillIn(fieldOf(page), '없는종목이름');
  await overlay.getByText("'없는종목이름'에 대한 검색 결과가 없습니다.").waitFor();
  await expectAccessible(page);

  // The results of another kind are a tap away.
  await fillIn(fieldOf(page), '비트코인캐시');
  await overlay.getByRole('button', { name: '코인에서 1개 찾았어요' }).tap();
  await overlay.getByRole('link', { name: '비트코인캐시', exact: true }).waitFor();
  expect(await overlay.getByRole('tab', { name: '코인', exact: true }).getAttribute('aria-selected')).toBe('true');

  await context.route(/\/api\/v1\/\w+\/search\/get-\w+-list/, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 9001, reason: 'INTERNAL', message: '잠시 쉬고 있어요', traceId: '0'.repeat(32) }),
    }),
  );
  for (const tab of ['주식', 'ETF', '코인', '원자재']) {
    await overlay.getByRole('tab', { name: tab, exact: true }).tap();
    await fillIn(fieldOf(page), '삼성');
    await overlay.getByText("'삼성'에 대한 검색 결과가 없습니다.").waitFor();
  }
  await overlay.getByRole('tab', { name: '예적금', exact: true }).tap();
  await overlay.getByRole('alert').filter({ hasText: '검색 중 오류가 발생했습니다: 잠시 쉬고 있어요' }).waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});
