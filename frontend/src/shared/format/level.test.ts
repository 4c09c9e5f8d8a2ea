import { describe, expect, it } from 'vitest';
import { assetTypeName, interestTypeName, isWarning, warningName } from './codes';
import { isEmail } from './isEmail';
import { josa } from './josa';
import { level } from './level';

describe('level', () => {
  it.each([
    [-1, 1, '빈털터리', 0],
    [0, 1, '빈털터리', 0],
    [9_999_999, 1, '빈털터리', 99.99999],
    [10_000_000, 2, '빈곤층', 0],
    [30_000_000, 3, '빠듯한중산층', 0],
    [70_000_000, 4, '중산층', 0],
    [500_000_000, 5, '상류층', 0],
    [3_000_000_000, 6, '자산가', 0],
    [10_000_000_000, 7, '1천억재벌', 0],
    [100_000_000_000, 8, '억만장자', 0],
    [1_000_000_000_000, 9, '슈퍼리치', 100],
    [5_000_000_000_000, 9, '슈퍼리치', 100],
    [20_000_000, 2, '빈곤층', 50],
  ])('of %s won is %s %s at %s %%', (total, number, name, gauge) => {
    const reached = level(total);
    expect(reached).toMatchObject({ number, name });
    expect(reached.gaugePercent).toBeCloseTo(gauge, 3);
  });

  it('shows what is missing to the next one', () => {
    expect(level(9_000_000).toNextWon).toBe(1_000_000);
    expect(level(2_000_000_000_000).toNextWon).toBeNull();
  });

  it('counts a missing total as zero', () => expect(level(null).number).toBe(1));

  it('multiplies points by a tenth more per level', () => {
    expect([0, 10_000_000, 2_000_000_000_000].map((total) => level(total).multiplier)).toEqual([1, 1.1, 1.8]);
  });
});

describe('code tables', () => {
  it('name known codes and report unknown ones', () => {
    expect(assetTypeName('01')).toBe('주식');
    expect(assetTypeName('77')).toBe('unknown type');
    expect(interestTypeName('02')).toBe('복리');
    expect(interestTypeName('')).toBe('unknown type');
    expect(warningName('03')).toBe('위험');
    expect(warningName('xx')).toBe('unknown code');
    expect(['', '00', '03'].map(isWarning)).toEqual([false, false, true]);
  });
});

describe('josa', () => {
  it('fits Hangul and is omitted after Latin', () => {
    expect(josa('삼성전자', '을/를')).toBe('삼성전자를');
    expect(josa('비트코인', '을/를')).toBe('비트코인을');
    expect(josa('NAVER', '을/를')).toBe('NAVER');
  });
});

describe('isEmail', () => {
  it.each([
    ['a@b.c', true],
    ['이름@회사.한국', true],
    ['a@b', false],
    ['a b@c.d', false],
    ['', false],
    [' a@b.c', false],
  ])('%j: %s', (text, answer) => expect(isEmail(text)).toBe(answer));
});
