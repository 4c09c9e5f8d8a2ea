export const WON_PER_POINT = 1_000;

/** Won for a number of points: 1,000원 each, times the multiplier of the level. The multiplier is in whole tenths, so this is exact. */
export function wonFor(points: number, multiplier: number): number {
  return Math.floor((points * WON_PER_POINT * Math.round(multiplier * 10)) / 10);
}
