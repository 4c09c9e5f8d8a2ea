import { describe, expect, it } from 'vitest';
import { firstConsonant } from './firstConsonants';
import { isConsonants, matchName } from './matchName';

const part = (name: string, text: string) => {
  const match = matchName(name, text, firstConsonant);
  return match && name.slice(...match);
};

describe('what matches in a name', () => {
  it.each([
    ['삼성전자', '삼성', '삼성'],
    ['삼성전자', '전자', '전자'],
    ['삼성전자', 'ㅅㅅ', '삼성'],
    ['삼성전자', 'ㅈㅈ', '전자'],
    ['KODEX 200', 'kodex2', 'KODEX 2'],
    ['TIGER 미국S&P500', 'ㅁㄱs', '미국S'],
    ['네이버 웹툰', 'ㅂㅇ', '버 웹'],
  ])('%s for %s is %s', (name, text, expected) => expect(part(name, text)).toBe(expected));

  it.each([
    ['삼성전자', '현대'],
    ['삼성전자', ' '],
    ['삼성전자', 'ㄱ'],
  ])('%s has nothing for %j', (name, text) => expect(part(name, text)).toBeNull());

  it('ignores consonants until the table is loaded', () => {
    expect(matchName('삼성전자', 'ㅅㅅ', null)).toBeNull();
    expect(isConsonants('ㅅ ㅅ')).toBe(true);
    expect(isConsonants('삼ㅅ')).toBe(false);
  });
});
