import { describe, expect, it } from 'vitest';
import type { Notification } from '@/features/notification/notificationTypes';
import { groupsOf } from './inboxGroups';

const at = (createdAt: string, sid: number): Notification => ({ sid, type: 'NOTICE', title: '', body: '', link: '/', createdAt, isRead: true });

/** A Wednesday in Korea that is still Tuesday in London. */
const WEDNESDAY = new Date('2026-11-25T00:30:00+09:00');

describe('the groups of the inbox', () => {
  it('follow the Korean days, and a week that begins on Monday', () => {
    const rows = ['2026-11-25T00:01:00', '2026-11-24T23:59:00', '2026-11-23T00:00:00', '2026-11-22T23:59:59', '2026-08-30T12:00:00'];
    expect(groupsOf(rows.map(at), WEDNESDAY).map(({ group, rows: of }) => [group, of.map(({ sid }) => sid)])).toEqual([
      ['today', [0]],
      ['week', [1, 2]],
      ['earlier', [3, 4]],
    ]);
  });

  it('on a Monday have no week before today', () => {
    const monday = new Date('2026-11-23T09:00:00+09:00');
    expect(groupsOf(['2026-11-23T08:00:00', '2026-11-22T08:00:00'].map(at), monday).map(({ group }) => group)).toEqual(['today', 'earlier']);
  });

  it('take a clock ahead of this device for today, and what is unreadable for old', () => {
    expect(groupsOf(['2026-11-26T01:00:00', 'soon'].map(at), WEDNESDAY).map(({ group }) => group)).toEqual(['today', 'earlier']);
  });
});
