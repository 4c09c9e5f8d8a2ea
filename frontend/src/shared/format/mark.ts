// Words shared by many names, which do not distinguish them: groups, fund houses, regions, coin families. Longer ones first.
const FAMILIES = [
  '차이나전기', '미래에셋', '셀트리온', '에코프로', '비트코인', '이더리움', '마이크로', '아메리칸', '인튜이티브', '포스코', '카카오', '코스닥', '코리아',
  '차이나', '알파벳', '하이트', '에이비', '에이피', '삼성', '현대', '한화', '롯데', '두산', '신한', '한국', '한전', '한미', '미국', '국제', '하나',
  '우리', '대한', '원익', '기가', '카페', '비트', '2차', '에스', '에이', '엘앤',
  'HANARO', 'KODEX', 'TIGER', 'POSCO', 'PLUS', 'ACE', 'SOL', 'SOO', 'LG', 'SK', 'HD', 'CJ', 'GS', 'LS', 'KB', 'KT', 'DB', 'NH', 'GE', 'TS', 'CD금',
] as const;

// Words that distinguish funds and shares of the same name.
const KINDS = [
  { pattern: /인버스/, sign: '인' },
  { pattern: /레버리지/, sign: '레' },
  { pattern: /커버드콜/, sign: '커' },
  { pattern: /\dTR$/, sign: 'T' },
  { pattern: /(?<! )홀딩스$/, sign: '홀' },
  { pattern: /전기$/, sign: '기' },
] as const;
// Preferred shares and a hedged fund, marked after the first character of the whole name.
const CLASSES = [
  { pattern: /..우B?$/, sign: '우' },
  { pattern: /P500 H\)$/, sign: 'H' },
] as const;

/**
 * The two-character mark of a name: 삼성전자 → 삼전, SK하이닉스 → S하, KODEX 인버스 → K인, 비트코인 → 비트. Marks of listed instruments
 * differ within stocks, within coins and within gold.
 */
export function markOf(name: string): string {
  const plain = name.replace(/[\s(.&·_-]+/g, ' ').trim();
  const [first = ''] = [...plain];
  return signsOf(plain, first).join('').toUpperCase();
}

function signsOf(plain: string, first: string): readonly string[] {
  const share = CLASSES.find(({ pattern }) => pattern.test(plain));
  if (share) return [first, share.sign];
  const own = withoutFamily(plain);
  for (const { pattern, sign } of KINDS) {
    const kind = pattern.exec(own);
    // A fund on something is named after it: KODEX 200선물인버스 → 2인.
    if (kind) return [kind.index === 0 ? first : own.charAt(0), sign];
  }
  const rest = withoutFamilies(own);
  if (rest === plain) return signsOfWords(plain);
  return [first, rest.charAt(0)];
}

function withoutFamilies(name: string): string {
  const rest = withoutFamily(name);
  return rest === name ? name : withoutFamilies(rest);
}

/** The name after its family; a name that is the family's itself stays whole. */
function withoutFamily(name: string): string {
  const family = FAMILIES.find((word) => name.startsWith(word));
  return family === undefined || family === name ? name : name.slice(family.length).trim();
}

/** The first two characters of the first word, or of two words when the first is a single character. */
function signsOfWords(name: string): readonly string[] {
  const [word = '', next = ''] = name.split(' ');
  const signs = [...word];
  return (signs.length > 1 ? signs : [...signs, ...next]).slice(0, 2);
}
