import { type IChartApi, LineStyle } from 'lightweight-charts';
import { expect, it, vi } from 'vitest';
import { addPrice } from './series';

const drawnBy = (isLine: boolean) => {
  const candles = { createPriceLine: vi.fn(), removePriceLine: vi.fn(), priceLines: () => [], applyOptions: vi.fn() };
  const addSeries = vi.fn(() => candles);
  const chart = { addSeries, priceScale: () => ({ applyOptions: vi.fn() }) } as unknown as IChartApi;
  return { price: addPrice(chart, isLine, 'light'), candles, addSeries };
};

it('dashes the previous close, so that it is not mistaken for an average or an order', () => {
  const { price, candles } = drawnBy(true);
  price.setReferences([
    { kind: 'previousClose', price: 70_200, text: '전일 종가' },
    { kind: 'average', price: 69_000, text: '내 평균' },
    { kind: 'buy', price: 68_000, text: '구매 대기' },
  ]);
  const styles = candles.createPriceLine.mock.calls.map(([line]: { price: number; lineStyle: LineStyle }[]) => [line?.price, line?.lineStyle]);
  expect(styles).toEqual([
    [70_200, LineStyle.Dashed],
    [69_000, LineStyle.Solid],
    [68_000, LineStyle.Dotted],
  ]);
});

it('draws the last price across candles, and not for a line, which has a dot', () => {
  expect(drawnBy(false).addSeries).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ priceLineVisible: true, priceLineStyle: LineStyle.Dotted }));
  expect(drawnBy(true).addSeries).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ priceLineVisible: false }));
});
