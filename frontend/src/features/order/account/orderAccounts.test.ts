// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account, Holding } from '@/shared/api/types';
import { assets, holding } from '@/testing/wireSamples';
import { lastAccount, rememberAccount, storedPick, storePick } from './accountMemory';
import { accountAmong, orderAccounts } from './orderAccounts';

const [basic] = assets.accounts as [Account];
const account = (actTcd: string, changes: Partial<Account> = {}): Account => ({ ...basic, acno: `1000000000${actTcd}`, actTcd, actNm: actTcd, ...changes });
const all = [account('02'), basic, account('01'), account('03'), account('05'), account('06')];
const held = (acno: string, juQty: number, heldQty = 0): Holding => ({ ...holding, acno, juQty, heldQty });

describe('the accounts of an order', () => {
  it.each([
    ['stock', '01'],
    ['coin', '02'],
    ['gold', '06'],
  ] as const)('for %s are the basic one, first, and the one of its kind', (category, code) => {
    expect(orderAccounts(all, [], category, 'buy').map(({ acno }) => acno)).toEqual(['00', `1000000000${code}`]);
  });

  it('are that of the competition alone in its mode, by its number', () => {
    const competing = [account('99')];
    expect(orderAccounts(competing, [], 'stock', 'buy')).toMatchObject([{ acno: '100000000099', number: '100000000099', isBasic: false }]);
    expect(orderAccounts(competing, [], 'coin', 'buy')).toEqual([]);
    expect(accountAmong(orderAccounts(competing, [], 'stock', 'buy'), '00', '100000000001')).toBe('100000000099');
  });

  it('are open ones only', () => {
    expect(orderAccounts([basic, account('02', { isClosed: true })], [], 'coin', 'buy').map(({ acno }) => acno)).toEqual(['00']);
  });

  it('hold what is sold, with what is not reserved', () => {
    const holdings = [held('100000000002', 0.3, 0.1), held(basic.acno, 0)];
    expect(orderAccounts(all, holdings, 'coin', 'sell')).toMatchObject([{ acno: '100000000002', sellableQty: 0.2 }]);
    expect(orderAccounts(all, [held(basic.acno, 2), ...holdings], 'coin', 'sell').map(({ acno }) => acno)).toEqual(['00', '100000000002']);
    expect(orderAccounts(all, [], 'coin', 'sell').map(({ acno }) => acno)).toEqual(['00']);
  });

  it('begin with the first wanted one there is, else with the basic one', () => {
    const accounts = orderAccounts(all, [], 'coin', 'buy');
    expect(accountAmong(accounts, null, '100000000002')).toBe('100000000002');
    expect(accountAmong(accounts, '100000000099', null)).toBe('00');
    expect(accountAmong(accounts, '100000000099', '100000000002')).toBe('100000000002');
    expect(accountAmong([], null, '100000000002')).toBe('100000000002');
    expect(accountAmong([], null)).toBe('00');
  });
});

describe('a remembered account', () => {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  it('is that of the member and the category', () => {
    rememberAccount(1, 'coin', '100000000002');
    expect(lastAccount(1, 'coin')).toBe('100000000002');
    expect(lastAccount(1, 'stock')).toBeNull();
    expect(lastAccount(2, 'coin')).toBeNull();
  });

  it('is nothing the server would refuse', () => {
    rememberAccount(1, 'coin', '../');
    expect(lastAccount(1, 'coin')).toBeNull();
  });

  it('picked in a sheet is kept until it is closed', () => {
    const key = { memberSid: 1, code: 'KRW-BTC', side: 'buy' } as const;
    storePick(key, '100000000002');
    expect(storedPick(key)).toBe('100000000002');
    expect(storedPick({ ...key, side: 'sell' })).toBeNull();
    storePick(key, null);
    expect(storedPick(key)).toBeNull();
  });
});
