import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { article, unique } from './support/community';
import { product } from './support/product';
import { fillIn } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A photo that a page draws: one colour with a lighter corner. */
const drawn = async (page: Page, colour: string): Promise<Buffer> => {
  const url = await page.evaluate((fill) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1_200, 900];
    const drawing = canvas.getContext('2d');
    if (drawing === null) throw new Error('nothing can be drawn');
    drawing.fillStyle = fill;
    drawing.fillRect(0, 0, 1_200, 900);
    drawing.fillStyle = '#fff';
    drawing.fillRect(0, 0, 200, 200);
    return canvas.toDataURL('image/jpeg');
  }, colour);
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
};

const choose = async (page: Page, ...colours: string[]): Promise<void> => {
  const files = await Promise.all(colours.map(async (colour) => ({ name: `${colour}.jpg`, mimeType: 'image/jpeg', buffer: await drawn(page, colour) })));
  await page.locator('[data-photo-chooser]').setInputFiles(files);
};

const described = (page: Page, place: number): Locator => page.getByRole('button', { name: `사진 ${String(place)} 설명 쓰기` });

const thumb = (of: Locator, place: number, count: number): Locator => of.getByRole('button', { name: new RegExp(`사진 ${String(place)}/${String(count)} 크게 보기$`) });

/** Whether the picture has arrived. */
const isLoaded = (image: Locator): Promise<boolean> => image.evaluate((element) => element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0);

const swipe = async (page: Page, viewer: Locator): Promise<void> => {
  const width = page.viewportSize()?.width ?? 412;
  await viewer.locator('ul').evaluate((track, by) => track.scrollBy({ left: by }), width);
};

// J25: a post with pictures, whose draft survives a reload.
test('a post is written with two pictures, which a comment answers with one', async () => {
  const { page, context, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  const words = unique('사진이 있는 글');
  await page.goto('/community/new');
  await fillIn(page.getByRole('textbox', { name: '내용' }), words);
  await choose(page, '#c33', '#33c');
  await described(page, 2).waitFor();
  await expectAccessible(page);
  await described(page, 1).tap();
  await fillIn(page.getByRole('textbox', { name: '사진 1 설명 (선택)' }), '붉은 차트');
  await page.getByRole('button', { name: '넣기', exact: true }).tap();

  await expect.poll(() => page.evaluate(() => Object.values(localStorage).some((kept) => String(kept).includes('붉은 차트')))).toBe(true);
  await page.reload();
  await page.getByText('쓰던 글을 불러왔어요').waitFor();
  expect(await page.getByRole('img', { name: '붉은 차트' }).count()).toBe(1);
  await page.getByRole('button', { name: '사진 2 앞으로 옮기기' }).tap();
  await page.getByRole('button', { name: '올리기', exact: true }).tap();
  await page.waitForURL('**/community/detail?communitySid=*');

  await page.goto('/community');
  const card = article(page, words);
  await thumb(card, 2, 2).waitFor();
  const second = card.getByRole('img', { name: '붉은 차트' });
  await expect.poll(() => isLoaded(second)).toBe(true);
  const file = await fetch(new URL((await second.getAttribute('src')) ?? '', product.origin));
  expect([file.headers.get('cache-control'), file.headers.get('x-content-type-options'), file.headers.get('set-cookie')]).toEqual([
    'private, max-age=31536000, immutable',
    'nosniff',
    null,
  ]);

  await card.getByRole('link', { name: words }).tap();
  await page.getByRole('link', { name: '+ 댓글 작성' }).tap();
  await page.getByRole('heading', { level: 1, name: '댓글 작성' }).waitFor();
  const answer = unique('저도 한 장');
  await fillIn(page.getByRole('textbox', { name: '내용' }), answer);
  await choose(page, '#3a3');
  await described(page, 1).waitFor();
  await page.getByRole('button', { name: '올리기', exact: true }).tap();
  await thumb(article(page, answer), 1, 1).waitFor();
  await expectAccessible(page);

  // What is deleted shows its pictures to nobody.
  await article(page, words).getByRole('button', { name: /글 메뉴$/ }).tap();
  await page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '삭제하기' }).tap();
  const confirm = page.getByRole('dialog', { name: '내 의견을 삭제할까요?' }).getByRole('button', { name: '삭제하기', exact: true });
  await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe(null);
  await confirm.tap();
  await page.getByText('게시물이 삭제되었습니다.').waitFor();
  await expect.poll(async () => (await fetch(file.url)).status, { timeout: 60_000 }).toBe(404);
  expect(pageErrors).toEqual([]);
  await context.close();
});

// J27
test('pictures are looked at one by one over the whole screen', async () => {
  const { page, context, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  const words = unique('사진 구경');
  await page.goto('/community/new');
  await fillIn(page.getByRole('textbox', { name: '내용' }), words);
  await choose(page, '#c33', '#33c', '#3a3');
  await described(page, 3).waitFor();
  await page.getByRole('button', { name: '올리기', exact: true }).tap();
  await page.waitForURL('**/community/detail?communitySid=*');
  const at = page.url();
  const post = article(page, words);
  await thumb(post, 2, 3).tap();
  const viewer = page.getByRole('dialog', { name: '사진 크게 보기' });
  await viewer.getByText('2/3').waitFor();
  await expectAccessible(page);

  // It plays until it is paused.
  await viewer.getByText('3/3').waitFor({ timeout: 4_000 });
  await viewer.getByText('1/3').waitFor({ timeout: 4_000 });
  await viewer.getByRole('button', { name: '자동 넘김 멈추기' }).tap();
  await page.waitForTimeout(2_500);
  expect(await viewer.getByText('1/3').count()).toBe(1);
  await swipe(page, viewer);
  await viewer.getByText('2/3').waitFor();

  const slide = viewer.locator('li:not([aria-hidden])');
  await slide.dblclick();
  await expect.poll(() => slide.getAttribute('data-zoomed')).toBe('true');
  await slide.dblclick();
  await expect.poll(() => slide.getAttribute('data-zoomed')).toBe(null);

  await page.goBack();
  await expect.poll(() => viewer.count()).toBe(0);
  expect(page.url()).toBe(at);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toMatch(/사진 2\/3 크게 보기$/);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('pictures do not play for those who want less motion', async () => {
  const { page, context } = await openPhone(browser, { reducedMotion: 'reduce' });
  await newMemberOn(context);
  const words = unique('천천히 보는 사진');
  await page.goto('/community/new');
  await fillIn(page.getByRole('textbox', { name: '내용' }), words);
  await choose(page, '#c33', '#33c');
  await described(page, 2).waitFor();
  await page.getByRole('button', { name: '올리기', exact: true }).tap();
  await page.waitForURL('**/community/detail?communitySid=*');
  await thumb(article(page, words), 1, 2).tap();
  const viewer = page.getByRole('dialog', { name: '사진 크게 보기' });
  await viewer.getByRole('button', { name: '자동으로 넘기기' }).waitFor();
  await page.waitForTimeout(2_500);
  expect(await viewer.getByText('1/2').count()).toBe(1);
  await context.close();
});
