import { josa as hangulJosa } from 'es-hangul';

/**
 * The particle of a name: `삼성전자` + `을/를` → `삼성전자를`. A name ending in Latin letters or digits has no reliable reading and gets
 * no particle, so the sentence must work without one.
 */
export function josa(name: string, pair: '을/를' | '이/가' | '은/는' | '이에요/예요'): string {
  return /[가-힣]$/.test(name) ? hangulJosa(name, pair) : name;
}
