import * as v from 'valibot';
import { ASSETS, CATEGORIES } from '@/shared/api/assets';
import type { Destination, Tick } from '@/shared/realtime/tick';

const numeric = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => (typeof value === 'number' ? value : Number(value.replaceAll(',', '')))),
  v.finite(),
);
const optionalNumber = v.fallback(v.nullable(numeric), null);

/** A tick of the market. A plain feed may lack our own fields. */
const WireTick = v.object({
  isu_srt_cd: v.string(),
  trd_dd: v.fallback(v.string(), ''),
  trd_tm: v.fallback(v.string(), ''),
  trd_prc: numeric,
  prev_dd_prc: v.fallback(numeric, 0),
  opn_prc: optionalNumber,
  hg_prc: optionalNumber,
  lw_prc: optionalNumber,
  tick_seq: optionalNumber,
  chg_rt: optionalNumber,
  acc_vol: optionalNumber,
  currency: v.fallback(v.picklist(['KRW', 'USD']), 'KRW'),
  fx_rt: optionalNumber,
  bid_prc: optionalNumber,
  ask_prc: optionalNumber,
  session: v.fallback(v.picklist(['OPEN', 'AUCTION', 'CLOSED', 'HALTED']), 'OPEN'),
  vi: v.fallback(v.nullable(v.picklist(['STATIC', 'DYNAMIC'])), null),
});

const DESTINATIONS = ['globalStock' as const, ...CATEGORIES.map((category) => ASSETS[category].route)].map((route): Destination => `/${route}/realData`);

const PriceFrame = v.object({
  destination: v.picklist(DESTINATIONS),
  snapshot: v.fallback(v.boolean(), false),
  payload: v.array(v.unknown()),
});

const FillFrame = v.object({
  destination: v.literal('/member/fills'),
  payload: v.fallback(v.array(v.record(v.string(), v.unknown())), []),
});

const NoticeFrame = v.object({
  destination: v.literal('/member/notice'),
  payload: v.pipe(v.array(v.object({ unread: v.pipe(v.number(), v.integer(), v.minValue(0)) })), v.minLength(1)),
});

const GapFrame = v.object({ type: v.literal('GAP'), from: v.fallback(v.nullable(v.number()), null) });

const PongFrame = v.object({
  type: v.literal('pong'),
  open: v.fallback(v.record(v.string(), v.boolean()), {}),
  auction: v.fallback(v.record(v.string(), v.boolean()), {}),
  stale: v.fallback(v.boolean(), false),
});

const ControlFrame = v.object({ type: v.string(), stale: v.fallback(v.boolean(), false), code: v.fallback(v.number(), 0) });

/** The token cannot be checked at the moment; it may be valid. */
const UNAVAILABLE = 9007;

export type Frame =
  | { kind: 'prices'; destination: Destination; isSnapshot: boolean; ticks: Tick[] }
  | { kind: 'fills'; fills: Record<string, unknown>[] }
  | { kind: 'notice'; unread: number }
  | { kind: 'pong'; open: Record<string, boolean>; isStale: boolean }
  | { kind: 'authenticated' }
  | { kind: 'rejected'; isTokenOver: boolean }
  | { kind: 'stale'; isStale: boolean }
  | { kind: 'gap'; from: number | null }
  | { kind: 'other' };

/** Parses a message of the socket. Unknown and broken messages are `other`; a broken tick drops only itself. */
export function parseFrame(text: string): Frame {
  const message = parseJson(text);
  const prices = v.safeParse(PriceFrame, message);
  if (prices.success) {
    const { destination, snapshot, payload } = prices.output;
    return { kind: 'prices', destination, isSnapshot: snapshot, ticks: payload.flatMap(tickFromWire) };
  }
  const gap = v.safeParse(GapFrame, message);
  if (gap.success) return { kind: 'gap', from: gap.output.from };
  const fills = v.safeParse(FillFrame, message);
  if (fills.success) return { kind: 'fills', fills: fills.output.payload };
  const notice = v.safeParse(NoticeFrame, message);
  if (notice.success) return { kind: 'notice', unread: notice.output.payload.at(-1)?.unread ?? 0 };
  const pong = v.safeParse(PongFrame, message);
  if (pong.success) return { kind: 'pong', open: tradingOf(pong.output), isStale: pong.output.stale };
  const control = v.safeParse(ControlFrame, message);
  if (!control.success) return { kind: 'other' };
  switch (control.output.type) {
    case 'AUTH_OK':
      return { kind: 'authenticated' };
    case 'AUTH_ERROR':
      return { kind: 'rejected', isTokenOver: control.output.code !== UNAVAILABLE };
    case 'STALE':
      return { kind: 'stale', isStale: control.output.stale };
    default:
      return { kind: 'other' };
  }
}

/** A market in an auction counts as open. */
function tradingOf({ open, auction }: v.InferOutput<typeof PongFrame>): Record<string, boolean> {
  const gathering = Object.entries(auction).filter(([, isOn]) => isOn);
  return { ...open, ...Object.fromEntries(gathering) };
}

function tickFromWire(wire: unknown): Tick[] {
  const parsed = v.safeParse(WireTick, wire);
  if (!parsed.success || parsed.output.trd_prc <= 0) return [];
  const tick = parsed.output;
  return [
    {
      code: tick.isu_srt_cd,
      seq: tick.tick_seq ?? arrivalSeq(),
      price: tick.trd_prc,
      previousClose: tick.prev_dd_prc,
      open: tick.opn_prc ?? tick.trd_prc,
      high: tick.hg_prc ?? tick.trd_prc,
      low: tick.lw_prc ?? tick.trd_prc,
      changePercent: tick.chg_rt ?? 0,
      volume: tick.acc_vol ?? 0,
      date: tick.trd_dd,
      time: tick.trd_tm,
      currency: tick.currency,
      fxRate: tick.fx_rt,
      bid: tick.bid_prc,
      ask: tick.ask_prc,
      session: tick.session,
      interruption: tick.vi,
    },
  ];
}

let arrivals = 0;

/** The sequence of a feed without sequence numbers: the order of arrival. */
function arrivalSeq(): number {
  arrivals += 1;
  return arrivals;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
