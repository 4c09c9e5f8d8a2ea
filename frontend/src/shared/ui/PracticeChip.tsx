import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { realtime } from '@/shared/copy/copy.shared';
import { Chip } from './Chip';

/** The permanent label next to prices that are not the real market's. */
export function PracticeChip() {
  const { simulated, clock } = useRuntimeConfig();
  return simulated || clock === 'replay' ? <Chip>{realtime.practice}</Chip> : null;
}
