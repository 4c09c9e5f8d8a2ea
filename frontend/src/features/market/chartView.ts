import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CandleType } from '@/shared/api/types';
import type { Reading } from '@/shared/ui/chart/LightChart';

/** What a screen's chart shows, for the price above it. */
export interface ChartView {
  period: CandleType;
  /** The price that the period began with; null while it is not known. */
  base: number | null;
  /** The price under the finger; null without one. */
  reading: Reading | null;
}

export type ChartViewStore = StoreApi<ChartView>;

export function createChartView(): ChartViewStore {
  return createStore<ChartView>(() => ({ period: 'DAY', base: null, reading: null }));
}
