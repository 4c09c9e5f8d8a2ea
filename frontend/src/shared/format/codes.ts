const ASSET_TYPES: Record<string, string> = { '00': '기본', '01': '주식', '02': '코인', '03': '예금', '04': '적금', '05': 'CMA' };
const INTEREST_TYPES: Record<string, string> = { '01': '단리', '02': '복리' };
const WARNINGS: Record<string, string> = { '00': '해당없음', '01': '주의', '02': '경고', '03': '위험' };

/** The name of an asset type code, `unknown type` when the code is not in the table. */
export function assetTypeName(code: string): string {
  return ASSET_TYPES[code] ?? 'unknown type';
}

/** The name of an interest type code, `unknown type` when the code is not in the table. */
export function interestTypeName(code: string): string {
  return INTEREST_TYPES[code] ?? 'unknown type';
}

/** Whether a warning code carries a warning. */
export function isWarning(code: string): boolean {
  return code !== '' && code !== '00';
}

/** The name of an investment warning code, `unknown code` when the code is not in the table. */
export function warningName(code: string): string {
  return WARNINGS[code] ?? 'unknown code';
}
