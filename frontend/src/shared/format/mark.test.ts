import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markOf } from './mark';

describe('the mark of a name', () => {
  it.each([
    ['삼성전자', '삼전'],
    ['삼성바이오로직스', '삼바'],
    ['삼성SDI', '삼S'],
    ['삼성전자우', '삼우'],
    ['삼성전기', '삼기'],
    ['한국전력', '한전'],
    ['한전기술', '한기'],
    ['KT&G', 'KG'],
    ['KT', 'KT'],
    ['SK하이닉스', 'S하'],
    ['현대차', '현차'],
    ['카카오', '카카'],
    ['카카오뱅크', '카뱅'],
    ['NAVER', 'NA'],
    ['KODEX 200', 'K2'],
    ['KODEX 레버리지', 'K레'],
    ['KODEX 인버스', 'K인'],
    ['KODEX 200선물인버스2X', '2인'],
    ['KODEX 미국S&P500', 'KS'],
    ['KODEX 미국S&P500(H)', 'KH'],
    ['TIGER 미국나스닥100', 'T나'],
    ['애플', '애플'],
    ['알파벳 A', '알A'],
    ['알파벳 C', '알C'],
    ['비트코인', '비트'],
    ['비트코인캐시', '비캐'],
    ['비트토렌트', '비토'],
    ['금 99.99_1Kg', '금9'],
    ['국제 은(현물)', '국은'],
    ['(주)회사', '주)'],
    ['가', '가'],
    ['', ''],
  ])('%s is %s', (name, mark) => expect(markOf(name)).toBe(mark));

  it.each([
    ['stocks', ['domestic_shares', 'etfs', 'us_shares']],
    ['coins', ['coins']],
    ['gold and commodities', ['commodities']],
  ])('differs among all listed %s', (_list, files) => {
    const names = files.flatMap(namesIn);
    expect(names.length).toBeGreaterThan(5);
    const sharing = Map.groupBy(names, markOf);
    expect([...sharing].filter(([, same]) => same.length > 1)).toEqual([]);
  });
});

/** The Korean names that market-data lists. */
function namesIn(file: string): string[] {
  const path = resolve(import.meta.dirname, `../../../../services/sise/market-data/seed/market/${file}.csv`);
  const [head = '', ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  const column = head.split(',').indexOf('korean_name');
  // Only columns before the Korean name could hold a quoted comma, and those are codes.
  return rows.map((row) => row.split(',')[column] ?? '');
}
