// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { storedDraft } from './orderDraft';
import { NEW_ORDER, orderForm } from './orderForm';

const KEY = { memberSid: 1, code: '005930', side: 'buy' } as const;
const RULES = { decimals: 0, maxWholeDigits: 12 };

describe('a draft kept over a reload', () => {
  it('shows its quantity, which the first digit replaces', () => {
    sessionStorage.setItem('draft 1 buy 005930', JSON.stringify({ ...NEW_ORDER, qty: { text: '3', isFresh: false } }));
    const draft = storedDraft(KEY);
    expect(draft?.qty.text).toBe('3');
    expect(draft && orderForm(draft, { type: 'key', key: '5', rules: RULES }).qty.text).toBe('5');
  });

  it('does not exist when what is stored is no form', () => {
    sessionStorage.setItem('draft 1 buy 005930', JSON.stringify({ ...NEW_ORDER, qty: { text: '3e9', isFresh: false } }));
    expect(storedDraft(KEY)).toBeNull();
  });
});
