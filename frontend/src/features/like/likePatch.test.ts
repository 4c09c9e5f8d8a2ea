import { describe, expect, it } from 'vitest';
import { deposit } from '@/testing/productSamples';
import { samsung } from '@/testing/wireSamples';
import { withLike } from './likePatch';
import { itemTarget, productTarget } from './likeTarget';

const other = { ...samsung, isuSrtCd: '000660' };
const target = itemTarget(samsung);

describe('a like in loaded data', () => {
  it('changes the target in lists, pages and single replies, and nothing else', () => {
    const pages = { pages: [{ items: [other, samsung], page: 1 }], pageParams: [1] };
    const patched = withLike(pages, target, true);
    expect(patched.pages[0]?.items.map(({ like }) => like)).toEqual([false, true]);
    expect(patched.pages[0]?.items[0]).toBe(other);
    expect(withLike(samsung, target, true)).toEqual({ ...samsung, like: true });
    expect(withLike({ product: deposit }, productTarget(deposit), true).product.like).toBe(true);
  });

  it('keeps the identity of data without the target', () => {
    const list = [other, { ...deposit }];
    expect(withLike(list, target, true)).toBe(list);
    expect(withLike(list, itemTarget(other), false)).toBe(list);
    expect(withLike(undefined, target, true)).toBeUndefined();
  });
});
