import { ASSETS, categoryOf } from '@/shared/api/assets';
import type { Item } from '@/shared/api/types';

export type ItemKind = 'STOCK' | 'ETF' | 'COIN' | 'GOLD';

export type LikeTarget = { kind: ItemKind; code: string; name: string } | { kind: 'PRODUCT'; sid: number; name: string };

export function itemTarget({ isuSrtCd, isuKorNm, marketCode }: Pick<Item, 'isuSrtCd' | 'isuKorNm' | 'marketCode'>): LikeTarget {
  return { kind: kindOf(marketCode), code: isuSrtCd, name: isuKorNm };
}

export function productTarget({ sid, prdtNm }: { sid: number; prdtNm: string }): LikeTarget {
  return { kind: 'PRODUCT', sid, name: prdtNm };
}

/** A unique key of a target. */
export function targetKey(target: LikeTarget): string {
  return target.kind === 'PRODUCT' ? `PRODUCT ${target.sid}` : `ITEM ${target.code}`;
}

function kindOf(marketCode: string): ItemKind {
  return marketCode === 'ETF' ? marketCode : ASSETS[categoryOf(marketCode)].type;
}
