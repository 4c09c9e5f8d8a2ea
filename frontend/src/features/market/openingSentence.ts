import type { Venue } from '@/shared/realtime/connection';
import { kstParts } from '@/shared/format/kst';
import { closedMarket } from './copy.closedMarket';

/**
 * Which markets are closed and when they open in Korean time. Holidays are the server's, so it names the time of a trading day
 * and no date. `isAll` when nothing else on the screen trades, so that a single market needs no name.
 */
export function openingSentence(closed: readonly Venue[], isAll: boolean, now: Date): string {
  const [first] = closed;
  if (first === undefined) return '';
  if (closed.length > 1) {
    const times = closed.map((venue) => closedMarket.at(closedMarket.names[venue], openingTime(venue, now)));
    return closedMarket.all(times.join(', '));
  }
  return isAll ? closedMarket.all(openingTime(first, now)) : closedMarket.one(closedMarket.names[first], openingTime(first, now));
}

function openingTime(venue: Venue, now: Date): string {
  switch (venue) {
    case 'KRX':
    case 'GOLD':
      return '09:00';
    case 'US':
      return isHourEarlierInKorea(now) ? '22:30' : '23:30';
    case 'COIN':
      return '00:00';
  }
}

const NEW_YORK_HOUR = { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' } as const;

/** Whether New York has daylight saving time: 13 hours behind Korea and not 14. */
function isHourEarlierInKorea(now: Date): boolean {
  const hourInNewYork = Number(new Intl.DateTimeFormat('en-US', NEW_YORK_HOUR).format(now));
  return (kstParts(now).hour - hourInNewYork + 24) % 24 === 13;
}
