import { type LikeTarget } from './likeTarget';

/**
 * Changes the like of one target wherever it occurs in loaded data. Parts without the target keep their identity, so that
 * nothing else renders.
 */
export function withLike<Data>(data: Data, target: LikeTarget, like: boolean): Data {
  return patched(data, target, like) as Data;
}

function patched(value: unknown, target: LikeTarget, like: boolean): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    const next = list.map((entry) => patched(entry, target, like));
    return next.some((entry, index) => entry !== list[index]) ? next : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (isTarget(record, target)) return record.like === like ? record : { ...record, like };
  const changes = Object.entries(record)
    .map(([key, entry]) => [key, patched(entry, target, like)] as const)
    .filter(([key, entry]) => entry !== record[key]);
  return changes.length > 0 ? { ...record, ...Object.fromEntries(changes) } : record;
}

function isTarget(record: Record<string, unknown>, target: LikeTarget): boolean {
  if (typeof record.like !== 'boolean') return false;
  return target.kind === 'PRODUCT' ? record.sid === target.sid && 'prdtNm' in record : record.isuSrtCd === target.code;
}
