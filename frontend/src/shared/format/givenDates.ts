import { kstDateTime } from './kst';

/** `20261120 0905` or a 13-digit epoch in milliseconds as `2026.11.20 09:05`. Throws the given sentence for another length. */
export function dateTime13(text: string): string {
  if (text.length !== 13) throw new Error('13자리 문자열이여야 합니다.');
  if (/^\d{13}$/.test(text)) return kstDateTime(new Date(Number(text)));
  const match = /^(\d{4})(\d{2})(\d{2})\D(\d{2})(\d{2})$/.exec(text);
  if (!match) throw new Error('13자리 문자열이여야 합니다.');
  const [, year, month, day, hour, minute] = match;
  return `${year}.${month}.${day} ${hour}:${minute}`;
}

/** `20261120` as `2026.11.20`. Throws the given sentence for anything else. */
export function date8(text: string): string {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const [, year, month, day] = match ?? [];
  const isRealDay =
    match !== null && new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day) && Number(month) >= 1;
  if (!isRealDay) throw new Error('입력된 날짜는 yyyymmdd 형식이어야 합니다');
  return `${year}.${month}.${day}`;
}

/** Twelve flags, `1` or `Y` meaning yes. Throws the given sentence for another length. */
export function flag12(text: string): boolean[] {
  if (text.length !== 12) throw new Error('입력된 문자열은 12자리여야 합니다');
  return [...text].map((flag) => flag === '1' || flag === 'Y');
}
