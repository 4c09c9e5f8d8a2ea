import { chartPalette, type ThemeName } from '@/shared/tokens/tokens';

/** A price that is drawn across the chart to compare with. */
export interface Reference {
  kind: 'previousClose' | 'average' | 'buy' | 'sell';
  price: number;
  /** What stands at its line. */
  text: string;
}

interface Span {
  minValue: number;
  maxValue: number;
}

/** How far beyond the prices in view, as a part of their span, a reference may widen the scale. */
const REACH = 0.35;

/** The span of prices to draw: with the references that are near, so that a far one does not flatten the rest. */
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
