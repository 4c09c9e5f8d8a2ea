import { describe, expect, it } from 'vitest';
import { nameParts } from './nameParts';

describe('the unbreakable parts of a name', () => {
  it.each([
    ['TIGER 미국나스닥100레버리지(합성)', ['TIGER 미국나스닥100', '레버리지', '(합성)']],
    ['KODEX SK하이닉스단일종목레버리지', ['KODEX SK', '하이닉스', '단일종목', '레버리지']],
    ['KODEX 200타겟위클리커버드콜', ['KODEX 200', '타겟', '위클리', '커버드콜']],
    ['LIG디펜스앤에어로스페이스', ['LIG', '디펜스앤', '에어로스페이스']],
    ['한국타이어앤테크놀로지', ['한국타이어앤', '테크놀로지']],
    ['스테이터스네트워크토큰', ['스테이터스', '네트워크', '토큰']],
    ['국제 백금(현물)', ['국제 백금', '(현물)']],
  ])('%s', (name, parts) => {
    expect(nameParts(name)).toEqual(parts);
    expect(nameParts(name).join('')).toBe(name);
  });

  it.each(['삼성전자', 'SK하이닉스', '코덱스레버리지'])('a short name is one: %s', (name) => {
    expect(nameParts(name)).toEqual([name]);
  });
});
