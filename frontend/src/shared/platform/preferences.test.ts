import { beforeEach, describe, expect, it, vi } from 'vitest';

const fresh = async () => {
  vi.resetModules();
  return import('./preferences');
};

describe('preferences of the device', () => {
  beforeEach(() => localStorage.clear());

  it('starts with two seconds, haptics, and amounts shown', async () => {
    const { preferences } = await fresh();
    expect(preferences()).toEqual({ hideAmounts: false, noticeSeconds: 2, haptics: true });
  });

  it('remembers a choice over a reload', async () => {
    const before = await fresh();
    before.setPreference({ hideAmounts: true, noticeSeconds: 10 });
    const after = await fresh();
    expect(after.preferences()).toEqual({ hideAmounts: true, noticeSeconds: 10, haptics: true });
  });

  it.each(['nonsense', '{"noticeSeconds":3,"hideAmounts":"yes"}', 'null'])('falls back over %s', async (stored) => {
    localStorage.setItem('preferences', stored);
    const { preferences } = await fresh();
    expect(preferences()).toEqual({ hideAmounts: false, noticeSeconds: 2, haptics: true });
  });
});
