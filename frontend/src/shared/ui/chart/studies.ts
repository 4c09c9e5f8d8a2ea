import { HistogramSeries, type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import { chartPalette, type ThemeName } from '@/shared/tokens/tokens';
import { averageColor, type Studies } from './averages';
import { type Bar, movingAverage } from './bars';

const VOLUME_PANE = 1;
const VOLUME_SHARE = 0.28;
const DRAWN_ALPHA = '99';

export interface DrawnStudies {
  setBars: (bars: readonly Bar[]) => void;
  /** Updates the newest bar, or appends it. */
  update: (bars: readonly Bar[]) => void;
  remove: () => void;
}

/** Adds the indicators to a chart; they are empty until they get bars. */
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
  const volumeOf = ({ time, open, close, volume }: Bar) => ({
    time: time as UTCTimestamp,
    value: volume,
    color: `${close >= open ? palette.up : palette.down}${DRAWN_ALPHA}`,
  });
  let newest = 0;
  return {
    setBars(bars) {
      newest = bars.at(-1)?.time ?? 0;
      for (const { average, series } of lines) {
        series.setData(movingAverage(bars, average).map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
      }
      volumes?.setData(bars.map(volumeOf));
    },
    update(bars) {
      const last = bars.at(-1);
      if (!last || last.time < newest) return;
      newest = last.time;
      for (const { average, series } of lines) {
        const [value] = movingAverage(bars.slice(-average), average);
        if (value) series.update({ time: value.time as UTCTimestamp, value: value.value });
      }
      volumes?.update(volumeOf(last));
    },
    remove() {
      for (const { series } of lines) chart.removeSeries(series);
      if (volumes) chart.removeSeries(volumes);
    },
  };
}
