import type { Item } from '@/shared/api/types';
import { sessionMark, type SessionMarkName } from '@/shared/copy/copy.shared';
import type { Tick } from '@/shared/realtime/tick';
import { useQuoteValue } from '@/shared/realtime/useTick';
import { Chip } from './Chip';

/** The unusual trading state of an instrument: a halt, an interruption or a call auction. */
export function markOf({ session, interruption }: Pick<Tick, 'session' | 'interruption'>): SessionMarkName | null {
  if (session === 'HALTED') return 'halted';
  if (session !== 'AUCTION') return null;
  return interruption === null ? 'auction' : 'interrupted';
}

/** A row's label for an unusual trading state. Renders when the state changes, not with every tick. */
export function SessionMark({ item }: { item: Item }) {
  const mark = useQuoteValue(item, markOf);
  return mark && <Chip look="small">{sessionMark[mark]}</Chip>;
}
