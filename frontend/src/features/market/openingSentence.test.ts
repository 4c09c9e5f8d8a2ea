import { expect, it } from 'vitest';
import type { Venue } from '@/shared/realtime/connection';
import { openingSentence } from './openingSentence';

const WINTER = new Date('2026-11-25T03:00:00+09:00');
const SUMMER = new Date('2026-07-01T10:00:00+09:00');

it.each<[readonly Venue[], boolean, Date, string]>([
  [['KRX'], true, WINTER, '장이 닫혀 있어요 · 거래일 09:00에 열어요'],
  [['KRX'], false, WINTER, '국내 장이 닫혀 있어요 · 거래일 09:00에 열어요'],
  [['US'], true, WINTER, '장이 닫혀 있어요 · 거래일 23:30에 열어요'],
  [['US'], true, SUMMER, '장이 닫혀 있어요 · 거래일 22:30에 열어요'],
  // New York changes its clocks on 8 March and 1 November 2026, at 02:00.
  [['US'], false, new Date('2026-03-08T15:59:00+09:00'), '미국 장이 닫혀 있어요 · 거래일 23:30에 열어요'],
  [['US'], false, new Date('2026-03-08T16:01:00+09:00'), '미국 장이 닫혀 있어요 · 거래일 22:30에 열어요'],
  [['KRX', 'US'], true, WINTER, '장이 닫혀 있어요 · 거래일 국내 09:00, 미국 23:30에 열어요'],
  [['GOLD'], true, SUMMER, '장이 닫혀 있어요 · 거래일 09:00에 열어요'],
])('%j closed, all %s, at %s: %s', (closed, isAll, now, sentence) => expect(openingSentence(closed, isAll, now)).toBe(sentence));
