// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { choiceOf, customDays, daysOfRow, searchOf, spanOf } from './profitChoice';

const NOW = new Date('2026-11-20T16:00:00Z');
const read = (search: string) => choiceOf(new URLSearchParams(search));

describe('the filter of profit and loss', () => {
  it('is everything by item unless the address says otherwise', () => {
    expect(read('')).toEqual({ type: 'ALL', groupBy: 'ITEM', period: 'ALL', from: null, to: null, season: null });
    expect(read('type=BOND&group=WEEK&period=DAY&from=2026-02-30&season=0')).toEqual(read(''));
  });

  it('survives the address', () => {
    const choice = read('type=COIN&group=MONTH&period=custom&from=2026-11-01&to=2026-11-20T23:59&season=2');
    expect(choice).toEqual({ type: 'COIN', groupBy: 'MONTH', period: 'custom', from: '2026-11-01', to: '2026-11-20', season: 2 });
    expect(choiceOf(searchOf(choice))).toEqual(choice);
    expect(searchOf(read('')).toString()).toBe('');
  });

  it('has no span while it ends before it begins', () => {
    expect(spanOf(read('period=THREE_MONTH'), NOW)).toBe('THREE_MONTH');
    expect(spanOf(read('period=custom&from=2026-11-02&to=2026-11-01'), NOW)).toBeNull();
    // Already the 21st in Korea.
    expect(customDays(read('period=custom'), NOW)).toEqual({ startDate: '2026-11-01', endDate: '2026-11-21' });
  });

  it('has the days of a row', () => {
    expect(daysOfRow('2028-02-10', 'MONTH')).toEqual({ startDate: '2028-02-01', endDate: '2028-02-29' });
    expect(daysOfRow('2028-02-10', 'YEAR')).toEqual({ startDate: '2028-01-01', endDate: '2028-12-31' });
    expect(daysOfRow('2028-02-10', 'DAY')).toEqual({ startDate: '2028-02-10', endDate: '2028-02-10' });
  });
});
