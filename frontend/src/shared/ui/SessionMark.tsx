import type { Item } from '@/shared/api/types';
import { sessionMark, type SessionMarkName } from '@/shared/copy/copy.shared';
import type { Tick } from '@/shared/realtime/tick';
import { useOfQuote } from '@/shared/realtime/useTick';
import { Chip } from './Chip';

/** What is unusual about an instrument's trading at the moment: a halt, an interruption or a call auction. */
export function markOf({ session, interruption }: Pick<Tick, 'session' | 'interruption'>): SessionMarkName | null {
  if (session === 'HALTED') return 'halted';
  if (session !== 'AUCTION') return null;
  return interruption === null ? 'auction' : 'interrupted';
}

/** A row's small label for an unusual session. It renders when the session changes and not with every price. */
export function SessionMark({ item }: { item: Item }) {
  const mark = useOfQuote(item, markOf);
  return mark && <Chip look="small">{sessionMark[mark]}</Chip>;
}
