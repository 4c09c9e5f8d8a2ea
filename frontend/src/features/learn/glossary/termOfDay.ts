import { kstDayKey } from '@/shared/format/kst';

const DAY_MS = 24 * 3_600_000;
/** Coprime to any small count of terms, so that neighbours in the list, which belong together, do not follow each other. */
const STRIDE = 7_919;

/** The term of a Korean day; null without terms. */
export function termOfDay<T>(terms: readonly T[], now: Date): T | null {
  const key = kstDayKey(now);
  const day = Date.parse(`${key.slice(0, 4)}-${key.slice(4, 6)}-${key.slice(6)}`) / DAY_MS;
  return terms[(day * STRIDE) % terms.length] ?? null;
}
