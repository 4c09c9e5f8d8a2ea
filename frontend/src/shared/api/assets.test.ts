import { describe, expect, it } from 'vitest';
import { itemHref, listHref } from '@/shared/paths';
import { destinationOf } from '@/shared/realtime/tick';
import { CATEGORIES, categoryOf, INSTRUMENT_KINDS, routeOf } from './assets';

describe('the kinds of assets', () => {
  it('stand in the order of the tabs, ETFs after other stocks', () => {
    expect(CATEGORIES).toEqual(['stock', 'coin', 'gold']);
    expect(INSTRUMENT_KINDS).toEqual(['stock', 'etf', 'coin', 'gold']);
  });

  it.each([
    ['KOSPI', 'stock', '/stock/realData', '/invest-v2/stock/A%20B'],
    ['ETF', 'stock', '/stock/realData', '/invest-v2/stock-etf/A%20B'],
    ['stocks', 'stock', '/globalStock/realData', '/invest-v2/stock/A%20B'],
    ['COIN', 'coin', '/coin/realData', '/invest-v2/coin/A%20B?refMarketCode=coin'],
    ['GOLD', 'gold', '/commodity/realData', '/invest-v2/gold/A%20B'],
    ['unknown', 'stock', '/stock/realData', '/invest-v2/stock/A%20B'],
  ] as const)('follow from a market: %s', (marketCode, category, destination, href) => {
    expect(categoryOf(marketCode)).toBe(category);
    expect(destinationOf(marketCode)).toBe(destination);
    expect(itemHref({ isuSrtCd: 'A B', marketCode })).toBe(href);
  });

  it('have routes of their own', () => {
    const routes = CATEGORIES.map((category) => [
      routeOf(category, '/api/v1/stock/order'),
      routeOf(category, '/api/v1/stock/search/get-stock-list'),
      routeOf(category, '/api/v1/orderHistory/stock/member/{sid}/{type}'),
    ]);
    expect(routes).toEqual([
      ['/api/v1/stock/order', '/api/v1/stock/search/get-stock-list', '/api/v1/orderHistory/stock/member/{sid}/{type}'],
      ['/api/v1/coin/order', '/api/v1/coin/search/get-coin-list', '/api/v1/orderHistory/coin/member/{sid}/{type}'],
      ['/api/v1/commodity/order', '/api/v1/commodity/search/get-commodity-list', '/api/v1/orderHistory/commodity/member/{sid}/{type}'],
    ]);
  });

  it('share no route that one of them lacks', () => {
    // @ts-expect-error Only stocks have constituents.
    routeOf('coin', '/api/v1/stock/index-constituents/{code}');
    // @ts-expect-error The likes of commodities have a word of their own.
    routeOf('gold', '/api/v1/stock/member/{sid}/stock-like');
  });

  it('have lists', () => {
    expect(INSTRUMENT_KINDS.map(listHref)).toEqual(['/invest-v2/stock', '/invest-v2/stock?tab=etf', '/invest-v2/coin', '/invest-v2/gold']);
  });
});
