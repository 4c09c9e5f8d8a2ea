import { chart, list } from '@/features/market/copy';
import { preloadedPrices } from '@/shared/api/preloadedAnswer';
import type { Item } from '@/shared/api/types';
import { unsignedMoney } from '@/shared/format/change';
import { factLine } from '@/shared/format/factLine';
import { flagOf } from '@/shared/format/flag';
import { nameParts } from '@/shared/format/nameParts';
import { changePct, gainPct, shownPct, unsignedPct } from '@/shared/format/pct';
import { listPrice, price } from '@/shared/format/price';
import { tone, TONE_ARROW } from '@/shared/format/tone';
import { element } from './element';

/** Draws the embedded prices at their place on the screen. */
export function drawPrices(): void {
  const { boot } = document.documentElement.dataset;
  const answer = preloadedPrices()?.answer;
  const chosen = new URLSearchParams(location.search);
  // Another tab or sort order is left to the client.
  const isFirst = !chosen.has('tab') && !chosen.has('sort');
  if ((boot === 'stock' || boot === 'coin') && Array.isArray(answer) && isFirst) drawRows(answer as Item[]);
  else if (boot === 'detail' && answer !== undefined) drawDetail(answer as Item);
}

function drawRows(items: readonly Item[]): void {
  document.querySelectorAll('.boot-row').forEach((row, index) => {
    const item = items[index];
    if (!item) return;
    const { amount, foreign, change } = textsOf(item, listPrice);
    const meta = item.marketCode === 'COIN' ? factLine(item.isuSrtCd, list.day) : item.isuSrtCd;
    const name = nameParts(item.isuKorNm).flatMap((part, place) => (place === 0 ? part : [element('wbr', ''), part]));
    const flag = flagOf(item.marketCode);
    row.classList.add('boot-known');
    row.querySelector('b')?.append(element('span', '', ...name, ...(flag ? [element('span', 'boot-flag', flag)] : [])), element('small', '', meta));
    // A new element: the old one would shift left by the difference in width.
    row.querySelector('s')?.replaceWith(element('s', '', amount, element('small', '', ...foreign, change)));
  });
}

function drawDetail(item: Item): void {
  const { amount, foreign } = textsOf(item, price);
  const percent = changePct(item.trdPrc, item.prevDdPrc);
  const difference = unsignedMoney(Number((item.trdPrc - item.prevDdPrc).toFixed(8)), item.currency);
  const lines = [
    element('span', 'boot-name', item.isuKorNm),
    element('span', 'boot-price', amount),
    ...foreign,
    element('span', 'boot-change', element('span', 'boot-foreign', chart.since.DAY), toned(percent, `${difference} (${gainPct(percent)})`)),
  ];
  const place = document.querySelector('.boot-detail');
  place?.classList.add('boot-known');
  place?.append(element('div', 'boot-hero', ...lines));
}

function textsOf({ trdPrc, prevDdPrc, currency, fxRt }: Item, priceText: typeof listPrice): { amount: string; foreign: Node[]; change: Node } {
  const inWon = currency === 'USD' && fxRt ? Math.round(trdPrc * fxRt) : null;
  const percent = changePct(trdPrc, prevDdPrc);
  return {
    amount: inWon === null ? priceText(trdPrc, currency) : priceText(inWon, 'KRW'),
    foreign: inWon === null ? [] : [element('span', 'boot-foreign', priceText(trdPrc, currency))],
    change: toned(shownPct(percent), unsignedPct(percent)),
  };
}

function toned(percent: number | null, text: string): Node {
  const side = tone(percent);
  return element('span', `boot-${side}`, element('span', 'boot-arrow', TONE_ARROW[side]), text);
}
