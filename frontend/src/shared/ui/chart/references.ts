import { chartPalette, type ThemeName } from '@/shared/tokens/tokens';

/** A price drawn across the chart for comparison. */
export interface Reference {
  kind: 'previousClose' | 'average' | 'buy' | 'sell';
  price: number;
  /** The label on its line. */
  text: string;
}

interface Span {
  minValue: number;
  maxValue: number;
}

/** How far a reference may extend the price scale, as a part of the span in view. */
const REACH = 0.35;

/** The span of prices to draw: extended to near references, so that a distant one does not flatten the rest. */
export function widened({ minValue, maxValue }: Span, references: readonly Reference[]): Span {
  const reach = (maxValue - minValue) * REACH;
  const near = references.map(({ price }) => price).filter((price) => price >= minValue - reach && price <= maxValue + reach);
  return { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) };
}

export function referenceColor(theme: ThemeName, kind: Reference['kind']): string {
  const { up, down, text } = chartPalette(theme);
  if (kind === 'buy') return up;
  return kind === 'sell' ? down : text;
}
