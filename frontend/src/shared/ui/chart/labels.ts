import type { IChartApi, ISeriesApi, UTCTimestamp } from 'lightweight-charts';
import type { Bar } from './bars';
import type { Reference } from './references';
import { extremes, inView } from './viewport';

/** The elements over the canvas. */
export interface Labels {
  high: HTMLElement;
  low: HTMLElement;
  /** At the last price: a dot at the end of a line, or a tag next to candles. */
  last: HTMLElement;
  /** One element for each reference, in their order. */
  references: readonly HTMLElement[];
}

interface LabelTexts {
  priceText: (price: number) => string;
  high: (price: string) => string;
  low: (price: string) => string;
}

/** With a label's padding this is the page's gutter. */
const EDGE_PX = 16;
const LINE_PX = 16;
const ABOVE_PX = 22;
const BELOW_PX = 6;

interface Box {
  left: number;
  top: number;
  width: number;
}

/**
 * Positions the labels at their prices. Call it after the canvas is drawn, because only then is its scale up to date. Widths
 * are read before anything is moved, so that there is a single layout.
 */
export function placeLabels(
  chart: IChartApi,
  series: ISeriesApi<'Candlestick'>,
  bars: readonly Bar[],
  references: readonly Reference[],
  isLine: boolean,
  texts: LabelTexts,
  labels: Labels,
): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  const found = range && extremes(inView(bars, range));
  const bottom = chart.paneSize(0).height - LINE_PX;
  const width = chart.timeScale().width();
  setText(labels.high, found ? texts.high(texts.priceText(found.highest.high)) : '');
  setText(labels.low, found ? texts.low(texts.priceText(found.lowest.low)) : '');
  const last = bars.at(-1);
  if (!isLine) setText(labels.last, last ? texts.priceText(last.close) : '');
  const widths = [labels.high, labels.low, ...labels.references].map((element) => element.offsetWidth);

  const taken: Box[] = [];
  const place = (element: HTMLElement, box: Box | null) => {
    element.hidden = box === null;
    if (!box) return;
    element.style.transform = `translate(${box.left}px, ${box.top}px)`;
    taken.push(box);
  };
  const at = (bar: Bar, price: number, elementWidth: number, shift: number): Box | null => {
    const x = chart.timeScale().timeToCoordinate(bar.time as UTCTimestamp);
    const y = series.priceToCoordinate(price);
    if (x === null || y === null) return null;
    return {
      left: clamp(x - elementWidth / 2, EDGE_PX, width - elementWidth - EDGE_PX),
      top: clamp(y + shift, 0, bottom),
      width: elementWidth,
    };
  };
  place(labels.high, found ? at(found.highest, found.highest.high, widths[0] ?? 0, -ABOVE_PX) : null);
  place(labels.low, found ? at(found.lowest, found.lowest.low, widths[1] ?? 0, BELOW_PX) : null);

  labels.references.forEach((element, index) => {
    const reference = references[index];
    const y = reference ? series.priceToCoordinate(reference.price) : null;
    const isInside = y !== null && y >= 0 && y <= chart.paneSize(0).height;
    place(element, isInside ? freePlace(y, widths[index + 2] ?? 0, width, taken) : null);
  });

  const x = last ? chart.timeScale().timeToCoordinate(last.time as UTCTimestamp) : null;
  const y = last ? series.priceToCoordinate(last.close) : null;
  const isShown = y !== null && (!isLine || (x !== null && x <= width));
  labels.last.hidden = !isShown;
  if (isShown) labels.last.style.transform = isLine ? `translate(${x ?? 0}px, ${y}px)` : `translateY(${clamp(y, LINE_PX / 2, bottom + LINE_PX / 2)}px)`;
}

/** On its line at the left edge, or at the right edge or a row away where that is taken. */
function freePlace(y: number, elementWidth: number, width: number, taken: readonly Box[]): Box {
  const lefts = [EDGE_PX - 4, width - elementWidth - EDGE_PX];
  const tops = [y - LINE_PX / 2, y - LINE_PX * 1.5, y + LINE_PX / 2];
  const places = tops.flatMap((top) => lefts.map((left) => ({ left, top, width: elementWidth })));
  return places.find((place) => taken.every((box) => !overlap(place, box))) ?? { left: lefts[0] ?? 0, top: y - LINE_PX / 2, width: elementWidth };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.left + other.width && other.left < one.left + one.width && Math.abs(one.top - other.top) < LINE_PX;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
