import { isMissing } from './number';

export type Tone = 'up' | 'down' | 'flat';

/** The direction of a change; a missing change is flat. */
export function tone(value: number | null | undefined): Tone {
  if (isMissing(value) || value === 0) return 'flat';
  return value > 0 ? 'up' : 'down';
}

/** The word a screen reader says for a tone. */
export const TONE_WORD: Record<Tone, string> = { up: '상승', down: '하락', flat: '보합' };

/** The arrow that shows the tone without colour. */
export const TONE_ARROW: Record<Tone, string> = { up: '▲', down: '▼', flat: '' };
