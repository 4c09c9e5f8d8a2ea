/** A chart or table of an article or a quiz, as its data. Which fields are set depends on the kind. */
export interface FigureData {
  kind: FigureKind;
  title: string;
  /** The lesson of the figure, for screen readers. */
  alt: string;
  note?: string;
  unit?: string;
  /** Names of the axes. */
  x?: string;
  y?: string;
  labels?: readonly string[];
  values?: readonly number[];
  series?: readonly FigureSeries[];
  stacked?: boolean;
  horizontal?: boolean;
  step?: boolean;
  mark?: readonly (readonly [x: number, y: number, label: string])[];
  columns?: readonly string[];
  rows?: readonly (readonly string[])[];
  emphasis?: readonly [row: number, column: number] | null;
  asks?: readonly (readonly [price: number, quantity: number])[];
  bids?: readonly (readonly [price: number, quantity: number])[];
  mine?: string;
  candles?: readonly (readonly [label: string, open: number, high: number, low: number, close: number])[];
  steps?: readonly string[];
  notes?: readonly string[];
  events?: readonly (readonly [when: string, what: string])[];
  left?: FigureSide | null;
  right?: FigureSide | null;
}

export type FigureKind = 'bars' | 'lines' | 'donut' | 'table' | 'order_book' | 'candles' | 'flow' | 'timeline' | 'balance';

interface FigureSeries {
  name: string;
  /** One per label. */
  values?: readonly number[];
  /** Instead of values, on a continuous horizontal axis. */
  points?: readonly (readonly [x: number, y: number])[];
}

export interface FigureSide {
  title: string;
  items: readonly string[];
}
