import { describe, expect, it } from 'vitest';
import { markOf } from './mark';

describe('the mark of a name', () => {
  it.each([
    ['삼성전자', '삼전'],
    ['삼성바이오로직스', '삼바'],
    ['삼성SDI', '삼S'],
    ['삼성전자우', '삼우'],
    ['SK하이닉스', 'S하'],
    ['현대차', '현차'],
    ['카카오', '카카'],
    ['카카오뱅크', '카뱅'],
    ['NAVER', 'NA'],
    ['KODEX 200', 'K2'],
    ['KODEX 레버리지', 'K레'],
    ['KODEX 인버스', 'K인'],
    ['TIGER 미국나스닥100', 'T나'],
    ['애플', '애플'],
    ['알파벳 A', '알A'],
    ['알파벳 C', '알C'],
    ['비트코인', '비트'],
    ['비트코인캐시', '비캐'],
    ['금 99.99_1Kg', '금9'],
    ['국제 은(현물)', '국은'],
    ['(주)회사', '주)'],
    ['가', '가'],
    ['', ''],
  ])('%s is %s', (name, mark) => expect(markOf(name)).toBe(mark));

  it('distinguishes the companies of a group', () => {
    const group = ['삼성전자', '삼성물산', '삼성생명', '삼성화재', '삼성바이오로직스', '삼성SDI', '삼성중공업', '삼성전자우'];
    expect(new Set(group.map(markOf)).size).toBe(group.length);
  });
});
