import type { Venue } from '@/shared/realtime/connection';
import { openingSentence } from './openingSentence';

export interface OpeningHoursProps {
  closed: readonly Venue[];
  /** Whether no other venue of the screen is open. */
  isAll: boolean;
  className?: string | undefined;
}

export default function OpeningHours({ closed, isAll, className }: OpeningHoursProps) {
  return <p className={className}>{openingSentence(closed, isAll, new Date())}</p>;
}
