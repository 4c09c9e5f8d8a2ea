import type { Destination } from '@/shared/realtime/tick';

type Watched = ReadonlyMap<Destination, ReadonlySet<string>>;

export interface SubscriptionFrame {
  type: 'SUBSCRIBE' | 'UNSUBSCRIBE';
  destination: Destination;
  codes: string[];
}

const CODES_PER_FRAME = 100;
/** The limit of codes per socket. */
const CODES_PER_SOCKET = 300;

/**
 * The frames that change the server's subscriptions from `known` to `wanted`. Unsubscriptions come first, to stay below the
 * limit.
 */
export function subscriptionFrames(known: Watched, wanted: Watched): SubscriptionFrame[] {
  const capped = cap(wanted);
  return [
    ...framesFor('UNSUBSCRIBE', difference(known, capped)),
    ...framesFor('SUBSCRIBE', difference(capped, known)),
  ];
}

/** Caps the codes at the limit of a socket; the first ones win. */
export function cap(wanted: Watched): Map<Destination, Set<string>> {
  let left = CODES_PER_SOCKET;
  const capped = new Map<Destination, Set<string>>();
  for (const [destination, codes] of wanted) {
    const taken = [...codes].slice(0, left);
    left -= taken.length;
    if (taken.length > 0) capped.set(destination, new Set(taken));
  }
  return capped;
}

function difference(from: Watched, without: Watched): Map<Destination, string[]> {
  const result = new Map<Destination, string[]>();
  for (const [destination, codes] of from) {
    const rest = [...codes].filter((code) => !without.get(destination)?.has(code));
    if (rest.length > 0) result.set(destination, rest);
  }
  return result;
}

function framesFor(type: SubscriptionFrame['type'], changes: ReadonlyMap<Destination, string[]>): SubscriptionFrame[] {
  return [...changes].flatMap(([destination, codes]) => {
    const frames: SubscriptionFrame[] = [];
    for (let start = 0; start < codes.length; start += CODES_PER_FRAME) {
      frames.push({ type, destination, codes: codes.slice(start, start + CODES_PER_FRAME) });
    }
    return frames;
  });
}
