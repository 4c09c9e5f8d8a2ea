import { HistogramSeries, type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import { chartPalette, type ThemeName } from '@/shared/tokens/tokens';
import { type Bar, movingAverage } from './bars';

/** Moving averages that can be drawn, in bars. */
export const AVERAGES = [5, 20, 60] as const;
export type Average = (typeof AVERAGES)[number];

/** What is drawn beside the price. */
export interface Studies {
  averages: readonly Average[];
  /** Volumes in a pane of their own. */
  volume: boolean;
}

const VOLUME_PANE = 1;
const VOLUME_SHARE = 0.28;
const DRAWN_ALPHA = '99';

// Told apart by lightness as well as by hue, on either background.
const AVERAGE_COLORS: Readonly<Record<ThemeName, Readonly<Record<Average, string>>>> = {
  light: { 5: '#B8560B', 20: '#0B7A6B', 60: '#6B3FC9' },
  dark: { 5: '#F2B24B', 20: '#4FD6C0', 60: '#B79CFF' },
};

export function averageColor(theme: ThemeName, average: Average): string {
  return AVERAGE_COLORS[theme][average];
}

export interface DrawnStudies {
  setBars: (bars: readonly Bar[]) => void;
  remove: () => void;
}

/** Adds the studies to a chart; they stay empty until they are given bars. */
export function drawStudies(chart: IChartApi, studies: Studies, theme: ThemeName): DrawnStudies {
  const palette = chartPalette(theme);
  const quiet = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const;
  const lines = studies.averages.map((average) => ({
    average,
    series: chart.addSeries(LineSeries, { ...quiet, color: averageColor(theme, average), lineWidth: 1 }),
  }));
  let volumes: ISeriesApi<'Histogram'> | null = null;
  if (studies.volume) {
    volumes = chart.addSeries(HistogramSeries, { priceLineVisible: false, lastValueVisible: false, priceFormat: { type: 'volume' } }, VOLUME_PANE);
    chart.panes()[VOLUME_PANE]?.setStretchFactor(VOLUME_SHARE);
  }
  return {
    setBars(bars) {
      for (const { average, series } of lines) {
        series.setData(movingAverage(bars, average).map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
      }
      volumes?.setData(
        bars.map(({ time, open, close, volume }) => ({
          time: time as UTCTimestamp,
          value: volume,
          color: `${close >= open ? palette.up : palette.down}${DRAWN_ALPHA}`,
        })),
      );
    },
    remove() {
      for (const { series } of lines) chart.removeSeries(series);
      if (volumes) chart.removeSeries(volumes);
    },
  };
}
