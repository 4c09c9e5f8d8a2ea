import { chart, list } from '@/features/market/copy';
import { broughtPrices } from '@/shared/api/brought';
import type { Item } from '@/shared/api/types';
import { unsignedMoney } from '@/shared/format/change';
import { listPrice } from '@/shared/format/listPrice';
import { money } from '@/shared/format/money';
import { changePct, gainPct, shownPct, unsignedPct } from '@/shared/format/pct';
import { tone, TONE_ARROW } from '@/shared/format/tone';
import { element } from './element';

/** Puts the prices that the page brought along where its screen will have them. */
export function drawPrices(): void {
  const { boot } = document.documentElement.dataset;
  const answer = broughtPrices()?.answer;
  const chosen = new URLSearchParams(location.search);
  // Another selection or order than the first is left to the program.
  const isFirst = !chosen.has('tab') && !chosen.has('sort');
  if ((boot === 'stock' || boot === 'coin') && Array.isArray(answer) && isFirst) drawRows(answer as Item[]);
  else if (boot === 'detail' && answer !== undefined) drawDetail(answer as Item);
}

function drawRows(items: readonly Item[]): void {
  document.querySelectorAll('.boot-row').forEach((row, index) => {
    const item = items[index];
    if (!item) return;
    const { price, foreign, change } = textsOf(item, listPrice);
    const meta = item.marketCode === 'COIN' ? `${item.isuSrtCd} · ${list.day}` : item.isuSrtCd;
    row.classList.add('boot-known');
    row.querySelector('b')?.append(element('span', '', item.isuKorNm), element('small', '', meta));
    row.querySelector('s')?.append(element('span', '', price), element('small', '', element('span', 'boot-foreign', foreign), change));
  });
}

function drawDetail(item: Item): void {
  const { price, foreign } = textsOf(item, money);
  const percent = changePct(item.trdPrc, item.prevDdPrc);
  const difference = unsignedMoney(Number((item.trdPrc - item.prevDdPrc).toFixed(8)), item.currency);
  const lines = [
    element('span', 'boot-name', item.isuKorNm),
    element('span', 'boot-price', price),
    ...(foreign === '' ? [] : [element('span', 'boot-foreign', foreign)]),
    element('span', 'boot-change', element('span', 'boot-foreign', chart.since.DAY), toned(percent, `${difference} (${gainPct(percent)})`)),
  ];
  const place = document.querySelector('.boot-detail');
  place?.classList.add('boot-known');
  place?.append(element('div', 'boot-hero', ...lines));
}

function textsOf({ trdPrc, prevDdPrc, currency, fxRt }: Item, priceText: typeof listPrice): { price: string; foreign: string; change: Node } {
  const inWon = currency === 'USD' && fxRt ? Math.round(trdPrc * fxRt) : null;
  const percent = changePct(trdPrc, prevDdPrc);
  return {
    price: inWon === null ? priceText(trdPrc, currency) : priceText(inWon, 'KRW'),
    foreign: inWon === null ? '' : priceText(trdPrc, currency),
    change: toned(shownPct(percent), unsignedPct(percent)),
  };
}

function toned(percent: number | null, text: string): Node {
  const side = tone(percent);
  return element('span', `boot-${side}`, element('i', '', TONE_ARROW[side]), text);
}
