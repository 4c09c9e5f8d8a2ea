import { describe, expect, it } from 'vitest';
import type { NotificationSettings } from '@/features/notification/notificationTypes';
import { applyChange, undoOf } from './settingsChange';

const settings: NotificationSettings = {
  types: [
    { type: 'FILL', inbox: true, push: true },
    { type: 'LIKE', inbox: true, push: false },
  ],
  quiet: { from: '21:00', until: '08:00' },
  digest: false,
};

describe('a change of the settings', () => {
  it.each([
    [{ types: [{ type: 'LIKE' as const, inbox: false, push: false }] }],
    [{ quiet: { from: '22:00', until: '07:00' } }],
    [{ digest: true }],
  ])('%j is taken back by its undo, and leaves the rest', (change) => {
    const after = applyChange(settings, change);
    expect(after).not.toEqual(settings);
    expect(after.types).toHaveLength(2);
    const undo = undoOf(settings, change);
    expect(Object.keys(undo)).toEqual(Object.keys(change));
    expect(applyChange(after, undo)).toEqual(settings);
  });
});
