import {
  AreaSeries,
  type AutoscaleInfo,
  CandlestickSeries,
  createChart,
  CrosshairMode,
  type IChartApi,
  type ISeriesApi,
  LineStyle,
  LineType,
  TickMarkType,
  type Time,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Tone } from '@/shared/format/tone';
import { chartPalette, type ThemeName } from '@/shared/tokens/tokens';
import { axisMark, type Bar } from './bars';
import { type Reference, referenceColor, widened } from './references';
import type { LinePoint } from './downsample';

const CLEAR = 'rgba(0, 0, 0, 0)';

/** An empty chart. Vertical drags scroll the page, horizontal ones the chart; a long press shows the crosshair. */
export function emptyChart(element: HTMLElement): IChartApi {
  return createChart(element, {
    autoSize: true,
    layout: { attributionLogo: false, background: { color: 'transparent' }, fontFamily: getComputedStyle(element).fontFamily, fontSize: 11 },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    rightPriceScale: { visible: false },
    timeScale: {
      borderVisible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      lockVisibleTimeRangeOnResize: true,
      tickMarkMaxCharacterLength: 8,
      tickMarkFormatter: markText,
    },
    crosshair: { mode: CrosshairMode.Magnet, horzLine: { visible: false, labelVisible: false }, vertLine: { labelVisible: false, style: 0 } },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    handleScroll: { vertTouchDrag: false },
    handleScale: { axisPressedMouseMove: false, mouseWheel: false },
    localization: { locale: 'ko-KR' },
  });
}

export function applyTheme(chart: IChartApi, theme: ThemeName, isDaily: boolean): void {
  const palette = chartPalette(theme);
  chart.applyOptions({
    layout: { textColor: palette.text, panes: { separatorColor: palette.line, separatorHoverColor: palette.line, enableResize: false } },
    crosshair: { vertLine: { color: palette.text } },
    timeScale: { timeVisible: !isDaily, secondsVisible: false },
  });
}

/** The price series: candles, or a line over invisible candles, which provide the positions and the span. */
export interface PriceSeries {
  candles: ISeriesApi<'Candlestick'>;
  /** Colours the series by the period's change. */
  paint: (tone: Tone) => void;
  setBars: (bars: readonly Bar[], line: readonly LinePoint[] | null) => void;
  update: (bar: Bar) => void;
  setReferences: (references: readonly Reference[]) => void;
  remove: () => void;
}

export function addPrice(chart: IChartApi, isLine: boolean, theme: ThemeName): PriceSeries {
  const palette = chartPalette(theme);
  // Room for the labels of the highest and the lowest price; with volumes there is less height.
  chart.priceScale('right').applyOptions({ scaleMargins: { top: isLine ? 0.2 : 0.25, bottom: 0.12 } });
  const [up, down] = isLine ? [CLEAR, CLEAR] : [palette.up, palette.down];
  let drawn: readonly Reference[] = [];
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
    priceLineVisible: !isLine,
    priceLineStyle: LineStyle.Dotted,
    lastValueVisible: false,
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
      const info = original();
      return info?.priceRange ? { ...info, priceRange: widened(info.priceRange, drawn) } : info;
    },
  });
  const area = isLine
    ? chart.addSeries(AreaSeries, {
        lineWidth: 2,
        lineType: LineType.Simple,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerBorderColor: palette.background,
        autoscaleInfoProvider: () => null,
      })
    : null;
  return {
    candles,
    paint(tone) {
      const color = palette[tone];
      candles.applyOptions({ priceLineColor: color });
      area?.applyOptions({ lineColor: color, topColor: `${color}33`, bottomColor: `${color}00` });
    },
    setBars(bars, line) {
      candles.setData(bars.map((bar) => ({ ...bar, time: bar.time as UTCTimestamp })));
      area?.setData((line ?? []).map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
    },
    update(bar) {
      const time = bar.time as UTCTimestamp;
      const newest = candles.data().at(-1)?.time;
      // The library throws when an older bar is written, which a late live bar after a reload would do.
      if (typeof newest === 'number' && bar.time < newest) return;
      candles.update({ ...bar, time });
      area?.update({ time, value: bar.close });
    },
    setReferences(references) {
      drawn = references;
      for (const line of candles.priceLines()) candles.removePriceLine(line);
      for (const { kind, price } of drawn) {
        candles.createPriceLine({
          price,
          color: referenceColor(theme, kind),
          lineWidth: 1,
          lineStyle: kind === 'previousClose' ? LineStyle.Dashed : kind === 'average' ? LineStyle.Solid : LineStyle.Dotted,
          axisLabelVisible: false,
          title: '',
        });
      }
    },
    remove() {
      chart.removeSeries(candles);
      if (area) chart.removeSeries(area);
    },
  };
}

const MARK_UNITS = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
} as const;

/** The library moves the outermost marks inside its edge by their width, so each is padded by the page's gutter. */
function markText(time: Time, type: TickMarkType): string | null {
  return typeof time === 'number' ? `${MARK_GUTTER}${axisMark(time, MARK_UNITS[type])}${MARK_GUTTER}` : null;
}

const MARK_GUTTER = '\u00a0'.repeat(6);
