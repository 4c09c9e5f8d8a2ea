/** The range of a match in a name, end exclusive. */
type NameMatch = readonly [from: number, to: number];

/** True for Korean consonants alone, which match syllables that begin with them. */
export function isConsonants(text: string): boolean {
  return /^[\u3131-\u314e]+$/.test(fold(text));
}

/**
 * Finds a text in a name as the server's search does: ignoring case and spaces, with consonants matching syllables when
 * `consonantOf` is given.
 */
export function matchName(name: string, text: string, consonantOf: ((character: string) => string) | null): NameMatch | null {
  const wanted = fold(text);
  if (wanted === '') return null;
  const places = [...name].flatMap((character, index) => (character === ' ' ? [] : [{ character: fold(character), index }]));
  return find(places, wanted) ?? (consonantOf === null ? null : find(places, wanted, consonantOf));
}

interface Place {
  character: string;
  index: number;
}

function find(places: readonly Place[], wanted: string, as: (character: string) => string = same): NameMatch | null {
  const start = places.map(({ character }) => as(character)).join('').indexOf(wanted);
  const first = places[start];
  const last = places[start + wanted.length - 1];
  return first && last ? [first.index, last.index + 1] : null;
}

function same(character: string): string {
  return character;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(' ', '');
}
