import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CandleType } from '@/shared/api/types';
import type { Reading } from '@/shared/ui/chart/LightChart';

/** The state of a screen's chart, for the price above it. */
interface ChartView {
  period: CandleType;
  /** The first price of the period; null while unknown. */
  base: number | null;
  /** The price under the crosshair; null without one. */
  reading: Reading | null;
}

export type ChartViewStore = StoreApi<ChartView>;

export function createChartView(): ChartViewStore {
  return createStore<ChartView>(() => ({ period: 'DAY', base: null, reading: null }));
}
