const NINE_HOURS_MS = 9 * 60 * 60 * 1000;

interface KstParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** The wall clock in Korea at an instant. Korea has no daylight saving, so a fixed offset is exact. */
export function kstParts(at: Date): KstParts {
  const shifted = new Date(at.getTime() + NINE_HOURS_MS);
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

const SERVER_TIME =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** The instant of a server string. Without an offset it is Korean time, whatever the device's zone; null when unreadable. */
export function parseServerTime(text: string | null | undefined): Date | null {
  const match = SERVER_TIME.exec(text?.trim() ?? '');
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = '+09:00'] = match;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** `2026.11.20` */
export function kstDate(at: Date): string {
  const { year, month, day } = kstParts(at);
  return `${year}.${two(month)}.${two(day)}`;
}

/** `09:05` */
export function kstTime(at: Date): string {
  const { hour, minute } = kstParts(at);
  return `${two(hour)}:${two(minute)}`;
}

/** `2026.11.20 09:05` */
export function kstDateTime(at: Date): string {
  return `${kstDate(at)} ${kstTime(at)}`;
}

/** The time of a snapshot: `09:05` today, `11.20 09:05` before. */
export function asOf(at: Date, now: Date): string {
  return kstDate(at) === kstDate(now) ? kstTime(at) : kstDateTime(at).slice('2026.'.length);
}

/** The Korean calendar day of an instant, for grouping: `20261120`. */
export function kstDayKey(at: Date): string {
  return kstDate(at).replaceAll('.', '');
}

export function two(value: number): string {
  return String(value).padStart(2, '0');
}
