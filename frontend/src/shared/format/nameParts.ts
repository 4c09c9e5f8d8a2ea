/** Where a long name may wrap besides spaces: before brackets and before words that end names. */
const WORDS = /\(|레버리지|인버스|커버드콜|단일종목|위클리|에어로스페이스|테크놀로지|네트워크|토큰/g;
/** A shorter name fits next to any price. */
const LONG = 8;

/** The unbreakable parts of a name: TIGER 미국나스닥100 · 레버리지 · (합성). */
export function nameParts(name: string): string[] {
  if (name.length < LONG) return [name];
  const marked = name.replace(WORDS, '\n$&').replace(/(\w)([가-힣])/g, '$1\n$2');
  return marked.split('\n').filter((part) => part !== '');
}
