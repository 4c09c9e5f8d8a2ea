// @vitest-environment jsdom
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Labels, placeLabels } from './labels';

const BARS = [100, 110, 105].map((close, index) => ({ time: index * 60, open: close, high: close + 1, low: close - 1, close, volume: 1 }));
const TEXTS = { priceText: (price: number) => `${price}원`, high: (price: string) => `최고 ${price}`, low: (price: string) => `최저 ${price}` };

// A canvas of 300 × 200 on which a won is a pixel and a minute a hundred.
const chart = {
  paneSize: () => ({ height: 200, width: 300 }),
  timeScale: () => ({
    width: () => 300,
    getVisibleLogicalRange: () => ({ from: 0, to: 2 }),
    timeToCoordinate: (time: number) => (time / 60) * 100,
  }),
} as unknown as IChartApi;
const series = { priceToCoordinate: (price: number) => 200 - price } as unknown as ISeriesApi<'Candlestick'>;

let labels: Labels;
beforeEach(() => {
  const element = () => document.createElement('span');
  labels = { high: element(), low: element(), last: element(), references: [element()] };
});

const place = (isLine: boolean) =>
  placeLabels(chart, series, BARS, [{ kind: 'previousClose', price: 90, text: '전일 종가' }], isLine, TEXTS, labels);

describe('the labels over a chart', () => {
  it('mark the last price by a dot at the end of the line', () => {
    place(true);
    expect(labels.last).toHaveProperty('hidden', false);
    expect(labels.last).toBeEmptyDOMElement();
    expect(labels.last.style.transform).toBe('translate(200px, 95px)');
  });

  it('mark the last price of candles by a tag at its height', () => {
    place(false);
    expect(labels.last).toHaveTextContent('105원');
    expect(labels.last.style.transform).toBe('translateY(95px)');
  });

  it('show the extremes, and the previous close on its line', () => {
    place(true);
    expect(labels.high).toHaveTextContent('최고 111원');
    expect(labels.low).toHaveTextContent('최저 99원');
    expect(labels.references[0]?.style.transform).toBe('translate(12px, 102px)');
  });
});
