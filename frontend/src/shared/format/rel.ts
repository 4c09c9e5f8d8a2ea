const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The elapsed time in its largest unit; under a minute, and in the future, `방금 전`. Days 28 to 34 are `4주 전`. */
export function rel(at: Date, now: Date): string {
  const elapsed = now.getTime() - at.getTime();
  if (elapsed < MINUTE_MS) return '방금 전';
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}분 전`;
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)}시간 전`;
  const days = Math.floor(elapsed / DAY_MS);
  if (days < 7) return `${days}일 전`;
  if (days < 35) return `${Math.floor(days / 7)}주 전`;
  const months = Math.floor(days / 30);
  if (months < 12) return `${months}개월 전`;
  return `${Math.max(1, Math.floor(days / 365))}년 전`;
}

/** `(수정됨)` while the last edit is under 24 hours old, else empty. */
export function edited(modifiedAt: Date | null, now: Date): string {
  return modifiedAt && now.getTime() - modifiedAt.getTime() < DAY_MS ? '(수정됨)' : '';
}

/** True when a date is more than three days in the past. */
export function isOld3d(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() > 3 * DAY_MS;
}
