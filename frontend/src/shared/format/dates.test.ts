import { describe, expect, it } from 'vitest';
import { date8, dateTime13, flag12 } from './givenDates';
import { asOf, kstDate, kstDateTime, kstDayKey, kstParts, kstTime, parseServerTime } from './kst';
import { edited, isOld3d, rel } from './rel';

const NOW = new Date('2026-11-21T12:00:00+09:00');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('rel', () => {
  it.each([
    [-5 * MINUTE, '방금 전'],
    [0, '방금 전'],
    [MINUTE - 1, '방금 전'],
    [MINUTE, '1분 전'],
    [HOUR - 1, '59분 전'],
    [HOUR, '1시간 전'],
    [DAY - 1, '23시간 전'],
    [DAY, '1일 전'],
    [7 * DAY - 1, '6일 전'],
    [7 * DAY, '1주 전'],
    [28 * DAY, '4주 전'],
    [35 * DAY - 1, '4주 전'],
    [35 * DAY, '1개월 전'],
    [359 * DAY, '11개월 전'],
    [360 * DAY, '1년 전'],
    [365 * DAY, '1년 전'],
    [730 * DAY, '2년 전'],
  ])('%s ms ago is %s', (elapsed, text) => expect(rel(ago(elapsed), NOW)).toBe(text));
});

describe('edited', () => {
  it('shows only for a day', () => {
    expect(edited(ago(DAY - 1), NOW)).toBe('(수정됨)');
    expect(edited(ago(DAY), NOW)).toBe('');
    expect(edited(null, NOW)).toBe('');
  });
});

describe('isOld3d', () => {
  it('starts after three days', () => {
    expect(isOld3d(ago(3 * DAY), NOW)).toBe(false);
    expect(isOld3d(ago(3 * DAY + 1), NOW)).toBe(true);
  });
});

describe('the Korean clock', () => {
  const at = new Date('2026-11-20T15:04:05Z');

  it('is nine hours ahead of UTC on any device', () => {
    expect(kstParts(at)).toEqual({ year: 2026, month: 11, day: 21, hour: 0, minute: 4, second: 5 });
    expect(kstDate(at)).toBe('2026.11.21');
    expect(kstTime(at)).toBe('00:04');
    expect(kstDateTime(at)).toBe('2026.11.21 00:04');
    expect(kstDayKey(at)).toBe('20261121');
  });

  it.each([
    ['2026-11-21T09:03:00+09:00', '2026-11-21T00:03:00.000Z'],
    ['2026-11-21T09:03:00', '2026-11-21T00:03:00.000Z'],
    ['2026-11-21T00:03:00Z', '2026-11-21T00:03:00.000Z'],
    ['2026-11-21 09:03', '2026-11-21T00:03:00.000Z'],
    ['2026-11-21', '2026-11-20T15:00:00.000Z'],
    ['20261121', '2026-11-20T15:00:00.000Z'],
    ['2026-11-21T09:03:00.123456789+0900', '2026-11-21T00:03:00.123Z'],
    ['2026-11-21T09:03:00.5', '2026-11-21T00:03:00.500Z'],
  ])('reads %s as %s', (text, iso) => expect(parseServerTime(text)?.toISOString()).toBe(iso));

  it.each(['', 'yesterday', '2026-13-45', null, undefined])('cannot read %j', (text) => expect(parseServerTime(text)).toBeNull());
});

describe('asOf', () => {
  it('omits today’s date, in Korea', () => {
    expect(asOf(ago(HOUR), NOW)).toBe('11:00');
    expect(asOf(ago(13 * HOUR), NOW)).toBe('11.20 23:00');
  });
});

describe('given date formats', () => {
  it('read their format', () => {
    expect(dateTime13('20261121 0905')).toBe('2026.11.21 09:05');
    expect(dateTime13('1795220700000')).toBe(kstDateTime(new Date(1_795_220_700_000)));
    expect(date8('20261121')).toBe('2026.11.21');
    expect(flag12('1Y0N00000001')).toEqual([true, true, ...Array<boolean>(9).fill(false), true]);
  });

  it('reject everything else in the given words', () => {
    for (const text of ['', '2026112109', 'abcdefghijklm']) {
      expect(() => dateTime13(text)).toThrow('13자리 문자열이여야 합니다.');
    }
    for (const text of ['', '2026-11-21', '20261345', '20260230', '2026112']) {
      expect(() => date8(text)).toThrow('입력된 날짜는 yyyymmdd 형식이어야 합니다');
    }
    expect(() => flag12('1')).toThrow('입력된 문자열은 12자리여야 합니다');
  });
});
