// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';

const fresh = async () => {
  vi.resetModules();
  return import('./preferences');
};

describe('preferences of the device', () => {
  beforeEach(() => localStorage.clear());

  it('start with two seconds, haptics, and amounts shown', async () => {
    const { preferences } = await fresh();
    expect(preferences()).toEqual({ hideAmounts: false, noticeSeconds: 2, haptics: true });
  });

  it('keep a choice over a reload', async () => {
    const before = await fresh();
    before.setPreference({ hideAmounts: true, noticeSeconds: 10 });
    const after = await fresh();
    expect(after.preferences()).toEqual({ hideAmounts: true, noticeSeconds: 10, haptics: true });
  });

  it.each(['nonsense', '{"noticeSeconds":3,"hideAmounts":"yes"}', 'null'])('ignore an invalid %s', async (stored) => {
    localStorage.setItem('preferences', stored);
    const { preferences } = await fresh();
    expect(preferences()).toEqual({ hideAmounts: false, noticeSeconds: 2, haptics: true });
  });
});
