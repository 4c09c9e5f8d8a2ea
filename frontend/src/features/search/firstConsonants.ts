import { getChoseong } from 'es-hangul';

/** The initial consonant of a Korean syllable; other characters are returned unchanged. */
export function firstConsonant(character: string): string {
  return getChoseong(character) || character;
}
