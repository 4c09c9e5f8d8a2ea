import { josa as hangulJosa } from 'es-hangul';

/**
 * The particle that fits a name: `삼성전자` + `을/를` → `삼성전자를`. A name that ends in Latin letters or digits has no
 * reliable reading, so it gets no particle and the sentence must work without one.
 */
export function josa(name: string, pair: '을/를' | '이/가' | '은/는' | '이에요/예요'): string {
  return /[가-힣]$/.test(name) ? hangulJosa(name, pair) : name;
}
