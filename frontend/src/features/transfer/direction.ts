import type { CashMove } from '@/shared/api/types';

export type Direction = 'in' | 'out' | 'between';

/** The direction of a movement as seen from one account, or from all of the member's accounts. */
export function directionOf({ fromAcno, toAcno }: Pick<CashMove, 'fromAcno' | 'toAcno'>, acno: string | null): Direction {
  if (acno !== null) return toAcno === acno ? 'in' : 'out';
  if (fromAcno && toAcno) return 'between';
  return toAcno ? 'in' : 'out';
}
