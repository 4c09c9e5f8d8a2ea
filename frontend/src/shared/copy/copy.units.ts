import { type Category, categoryOf } from '@/shared/api/assets';

const UNITS: Record<Category, string> = { stock: '주', coin: '개', gold: 'g' };

/** The counter word of a quantity, by market or order category. */
export function unitOf(code: string | null | undefined): string {
  return UNITS[categoryOf(code)];
}
