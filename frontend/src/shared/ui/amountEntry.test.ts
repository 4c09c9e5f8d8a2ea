import { describe, expect, it } from 'vitest';
import { EMPTY_ENTRY, entryValue, groupedEntry, keyFromKeyboard, type KeypadEntry, type KeypadKey, prefilled, pressKey } from './amountEntry';

const WHOLE = { decimals: 0, maxWholeDigits: 9 };
const COIN = { decimals: 8, maxWholeDigits: 9 };

const typed = (keys: KeypadKey[], rules = WHOLE, from: KeypadEntry = EMPTY_ENTRY) =>
  keys.reduce((entry, key) => pressKey(entry, key, rules), from);

describe('keypad', () => {
  it('grows a number digit by digit and groups it', () => {
    const entry = typed(['1', '2', '3', '4', '00']);
    expect(groupedEntry(entry)).toBe('123,400');
    expect(entryValue(entry)).toBe(123_400);
  });

  it('ignores leading zeros', () => {
    expect(typed(['0', '0', '5']).text).toBe('5');
    expect(typed(['00']).text).toBe('0');
    expect(typed(['00', '7']).text).toBe('7');
  });

  it('rejects a key by returning the same entry', () => {
    const full = typed(['9', '9', '9', '9', '9', '9', '9', '9', '9']);
    expect(pressKey(full, '1', WHOLE)).toBe(full);
    expect(pressKey(EMPTY_ENTRY, '.', WHOLE)).toBe(EMPTY_ENTRY);
    const precise = typed(['0', '.', '1', '2', '3', '4', '5', '6', '7', '8'], COIN);
    expect(precise.text).toBe('0.12345678');
    expect(pressKey(precise, '9', COIN)).toBe(precise);
    expect(pressKey(precise, '.', COIN)).toBe(precise);
  });

  it('keeps a trailing point and trailing zeros while typing decimals', () => {
    expect(groupedEntry(typed(['1', '2', '3', '4', '.'], COIN))).toBe('1,234.');
    expect(typed(['.', '5', '0'], COIN).text).toBe('0.50');
    expect(entryValue(typed(['.'], COIN))).toBe(0);
  });

  it('deletes one by one and clears at once', () => {
    expect(typed(['1', '2', 'back']).text).toBe('1');
    expect(typed(['back']).text).toBe('');
    expect(entryValue(typed(['1', '2', '3', 'clear']))).toBeNull();
  });

  it('replaces a prefilled number with the first digit', () => {
    const price = prefilled(71_300, 0);
    expect(price.text).toBe('71300');
    expect(pressKey(price, '6', WHOLE)).toEqual({ text: '6', isFresh: false });
    expect(pressKey(price, 'back', WHOLE)).toEqual(EMPTY_ENTRY);
    expect(pressKey(prefilled(0, 0), '0', WHOLE)).toEqual({ text: '0', isFresh: false });
  });

  it('writes tiny numbers in digits', () => {
    expect(prefilled(0.0000001, 8).text).toBe('0.0000001');
    expect(prefilled(1.5, 8).text).toBe('1.5');
    expect(prefilled(null, 8)).toBe(EMPTY_ENTRY);
  });

  it('maps hardware keys', () => {
    expect(keyFromKeyboard('7')).toBe('7');
    expect(keyFromKeyboard(',')).toBe('.');
    expect(keyFromKeyboard('Backspace')).toBe('back');
    expect(keyFromKeyboard('Delete')).toBe('clear');
    expect(keyFromKeyboard('a')).toBeNull();
  });
});
