import { getChoseong } from 'es-hangul';

/** The consonant a Korean syllable begins with; any other character stays what it is. */
export function firstConsonant(character: string): string {
  return getChoseong(character) || character;
}
