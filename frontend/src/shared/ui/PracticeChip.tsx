import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { realtime } from '@/shared/copy/copy.shared';
import { Chip } from './States';

/** The permanent label beside prices that are not the real market's. */
export function PracticeChip() {
  const { simulated, clock } = useRuntimeConfig();
  return simulated || clock === 'replay' ? <Chip>{realtime.practice}</Chip> : null;
}

/** The one sentence that explains the label. */
export function usePriceExplanation(): string | null {
  const { simulated, clock } = useRuntimeConfig();
  if (clock === 'replay') return realtime.replayExplained;
  return simulated ? realtime.practiceExplained : null;
}
