import { describe, expect, it } from 'vitest';
import { accountName, baseOf } from './accountKinds';

describe('an account', () => {
  it.each([
    ['00', 'BASIC', '기본'],
    ['01', 'STOCK', '주식'],
    ['02', 'COIN', '코인'],
    ['03', 'DEPOSIT', '예금'],
    ['04', 'SAVE', '적금'],
    ['05', 'CMA', 'CMA'],
    ['99', 'COMPETITION', '대회'],
    ['', 'COMMODITY', '금'],
    ['77', 'SOMETHING', 'unknown type'],
  ])('of code %j and type %s is called %s', (actTcd, accountType, name) => expect(accountName({ actTcd, accountType })).toBe(name));

  it('is compared with the money put in, less what was spent on items', () => {
    expect(baseOf({ depositInit: 5_000_000, depositEducationPoint: 30_000, buyDeposit: 10_000, purchasedItems: 4_000 })).toBe(5_036_000);
  });
});
