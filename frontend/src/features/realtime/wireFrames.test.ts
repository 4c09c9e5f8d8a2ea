import { describe, expect, it } from 'vitest';
import { fillFromWire } from './fillFromWire';
import { parseFrame } from './wireFrames';

describe('parseFrame', () => {
  it('reads a plain feed without our own fields', () => {
    const frame = parseFrame(
      JSON.stringify({ destination: '/stock/realData', payload: [{ isu_srt_cd: '005930', trd_prc: '71,300', prev_dd_prc: 70_000 }] }),
    );
    expect(frame).toMatchObject({ kind: 'prices', isSnapshot: false, ticks: [{ code: '005930', price: 71_300, currency: 'KRW' }] });
  });

  it.each([
    ['not json', 'other'],
    ['null', 'other'],
    ['{"destination":"/elsewhere","payload":[]}', 'other'],
    ['{"type":"AUTH_OK","expiresAt":"x"}', 'authenticated'],
    ['{"type":"AUTH_ERROR","code":1205,"reason":"x"}', 'rejected'],
    ['{"type":"STALE","stale":true}', 'stale'],
    ['{"type":"NEWS"}', 'other'],
    ['{"type":"GAP","from":1,"to":2}', 'gap'],
    ['{"type":"pong"}', 'pong'],
    ['{"destination":"/member/notice","payload":[{"type":"NOTICE","unread":3,"sid":9}]}', 'notice'],
    ['{"destination":"/member/notice","payload":[{"type":"NOTICE","unread":0}]}', 'notice'],
    ['{"destination":"/member/notice","payload":[{"type":"NOTICE","unread":-1,"sid":9}]}', 'other'],
    ['{"destination":"/member/notice","payload":[]}', 'other'],
  ])('%s is %s', (text, kind) => expect(parseFrame(text).kind).toBe(kind));

  it('reads the session and the interruption of an instrument', () => {
    const tick = { isu_srt_cd: '005930', trd_prc: 71_300, session: 'AUCTION', vi: 'STATIC' };
    const frame = parseFrame(JSON.stringify({ destination: '/stock/realData', payload: [tick, { ...tick, session: 'NEW', vi: 'NEW' }] }));
    expect(frame).toMatchObject({ ticks: [{ session: 'AUCTION', interruption: 'STATIC' }, { session: 'OPEN', interruption: null }] });
  });

  it('reads the best quotes, of which a side may be missing', () => {
    const tick = { isu_srt_cd: '005930', trd_prc: 71_300, bid_prc: 71_200, ask_prc: 71_400 };
    const frame = parseFrame(JSON.stringify({ destination: '/stock/realData', payload: [tick, { ...tick, bid_prc: null }] }));
    expect(frame).toMatchObject({ ticks: [{ bid: 71_200, ask: 71_400 }, { bid: null, ask: 71_400 }] });
  });

  it('counts a market in a call auction as open', () => {
    expect(parseFrame('{"type":"pong","open":{"KRX":false,"US":false},"auction":{"KRX":true,"US":false}}')).toEqual({
      kind: 'pong',
      open: { KRX: true, US: false },
      isStale: false,
    });
  });

  it('reads from a pong whether prices are stale', () => {
    expect(parseFrame('{"type":"pong","open":{},"auction":{},"stale":true}')).toMatchObject({ kind: 'pong', isStale: true });
  });

  it.each([0, -5, 'NaN', null])('drops a price of %s', (price) => {
    const frame = parseFrame(JSON.stringify({ destination: '/coin/realData', payload: [{ isu_srt_cd: 'A', trd_prc: price }] }));
    expect(frame).toMatchObject({ kind: 'prices', ticks: [] });
  });
});

describe('fillFromWire', () => {
  it('reads both spellings and both shapes', () => {
    expect(fillFromWire({ order_sid: 3, isu_kor_nm: '삼성전자' })).toMatchObject({
      fill: { orderSid: 3 },
      order: { isuKorNm: '삼성전자' },
    });
    expect(fillFromWire({ order: { orderSid: 4 }, fill: { fillQty: 2 } })).toMatchObject({
      fill: { orderSid: 4, fillQty: 2 },
      order: { orderSid: 4 },
    });
  });
});
