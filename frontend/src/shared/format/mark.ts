// Words shared by many names, which do not distinguish them: groups, fund houses, regions, coin families.
const FAMILIES = [
  '미래에셋', '셀트리온', '에코프로', '비트코인', '이더리움', '마이크로', '포스코', '카카오', '코스닥', '코리아', '차이나', '알파벳',
  '삼성', '현대', '한화', '롯데', '두산', '신한', '한국', '미국', '국제', '에스', '에이', '엘앤',
  'HANARO', 'KODEX', 'TIGER', 'POSCO', 'PLUS', 'ACE', 'SOL', 'LG', 'SK', 'HD', 'CJ', 'GS', 'LS', 'KB', 'DB', 'NH', 'GE',
] as const;

// Words that distinguish funds and shares of the same name.
const KINDS = [
  { pattern: /인버스/, sign: '인' },
  { pattern: /레버리지/, sign: '레' },
  { pattern: /..우B?$/, sign: '우' },
] as const;

/** The two-character mark of a name: 삼성전자 → 삼전, SK하이닉스 → S하, KODEX 인버스 → K인, 비트코인 → 비트. */
export function markOf(name: string): string {
  const plain = name.replace(/[\s(.&·_-]+/g, ' ').trim();
  const [first = ''] = [...plain];
  const kind = KINDS.find(({ pattern }) => pattern.test(plain));
  if (kind) return (first + kind.sign).toUpperCase();
  const rest = withoutFamily(plain);
  const [, second = ''] = rest === plain ? signsOfWords(plain) : [first, ...rest];
  return (first + second).toUpperCase();
}

function withoutFamily(name: string): string {
  const family = FAMILIES.find((word) => name.startsWith(word) && name.length > word.length);
  return family === undefined ? name : withoutFamily(name.slice(family.length).trim());
}

/** The first two characters of the first word, or of two words when the first is a single character. */
function signsOfWords(name: string): string[] {
  const [word = '', next = ''] = name.split(' ');
  const signs = [...word];
  return signs.length > 1 ? signs : [...signs, ...next];
}
