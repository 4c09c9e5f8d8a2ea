import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  CrosshairMode,
  type IChartApi,
  type ISeriesApi,
  LineType,
  type MouseEventParams,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { Tone } from '@/shared/format/tone';
import { useThemeName } from '@/shared/platform/theme';
import { chartPalette } from '@/shared/tokens/tokens';
import type { Studies } from './averages';
import { axisMark, type Bar, barTimeText, withLive } from './bars';
import styles from './LightChart.module.css';
import { type DrawnStudies, drawStudies } from './studies';

export interface LightChartProps {
  bars: readonly Bar[];
  /** The newest bar as ticks change it. */
  live: Bar | null;
  kind: 'line' | 'candle';
  /** The side the whole period is on; colours the line. */
  tone: Tone;
  isDaily: boolean;
  /** What the picture says in words. */
  label: string;
  priceText: (price: number) => string;
  extremes: { high: (price: string) => string; low: (price: string) => string };
  attribution: string;
  /** Called when the past is nearly scrolled out of view. */
  onNeedOlder?: (() => void) | undefined;
  /** Drawn beside the price; keep the same object while nothing changes. */
  studies?: Studies;
  /** Takes the height of its place instead of its own. */
  fills?: boolean;
}

type AnySeries = ISeriesApi<'Area'> | ISeriesApi<'Candlestick'>;

/** Together with a label's padding the page's gutter. */
const LABEL_EDGE_PX = 16;

/** Bars that are left in view before older ones are asked for. */
const OLDER_MARGIN_BARS = 12;

/** A canvas chart of one instrument. The page scrolls over it; a long press or a pointer reads single bars. */
export default function LightChart(props: LightChartProps) {
  const { bars, live, kind, tone, isDaily, label, attribution, studies, fills = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const highLabel = useRef<HTMLSpanElement>(null);
  const lowLabel = useRef<HTMLSpanElement>(null);
  const pill = useRef<HTMLDivElement>(null);
  const chart = useRef<IChartApi>(null);
  const series = useRef<AnySeries>(null);
  const latest = useRef(props);
  const themeName = useThemeName();

  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const created = createChart(element, {
      autoSize: true,
      layout: { attributionLogo: false, background: { color: 'transparent' }, fontFamily: getComputedStyle(element).fontFamily, fontSize: 11 },
      grid: { vertLines: { visible: false }, horzLines: { visible: false } },
      rightPriceScale: { visible: false, scaleMargins: { top: 0.2, bottom: 0.12 } },
      timeScale: {
        borderVisible: false,
        fixLeftEdge: true,
        fixRightEdge: true,
        lockVisibleTimeRangeOnResize: true,
        tickMarkMaxCharacterLength: 8,
        tickMarkFormatter: markText,
      },
      crosshair: { mode: CrosshairMode.Magnet, horzLine: { visible: false, labelVisible: false }, vertLine: { labelVisible: false, style: 0 } },
      handleScroll: { vertTouchDrag: false },
      handleScale: { axisPressedMouseMove: false, mouseWheel: false },
      localization: { locale: 'ko-KR' },
    });
    chart.current = created;

    const onRange = () => {
      placeExtremes(created, series.current, latest.current, highLabel.current, lowLabel.current);
      const range = created.timeScale().getVisibleLogicalRange();
      if (range && range.from < OLDER_MARGIN_BARS && latest.current.bars.length > OLDER_MARGIN_BARS) latest.current.onNeedOlder?.();
    };
    const onCrosshair = (event: MouseEventParams) => placePill(event, series.current, latest.current, pill.current, element);
    created.timeScale().subscribeVisibleLogicalRangeChange(onRange);
    // Turning the phone keeps the range and moves everything else.
    created.timeScale().subscribeSizeChange(onRange);
    created.subscribeCrosshairMove(onCrosshair);
    return () => {
      created.remove();
      chart.current = null;
      series.current = null;
    };
  }, []);

  useEffect(() => {
    const palette = chartPalette(themeName);
    chart.current?.applyOptions({
      layout: { textColor: palette.text, panes: { separatorColor: palette.line, separatorHoverColor: palette.line, enableResize: false } },
      crosshair: { vertLine: { color: palette.text } },
      timeScale: { timeVisible: !isDaily, secondsVisible: false },
    });
  }, [themeName, isDaily]);

  useEffect(() => {
    const current = chart.current;
    if (!current) return;
    const palette = chartPalette(themeName);
    const color = palette[tone];
    const added: AnySeries =
      kind === 'candle'
        ? current.addSeries(CandlestickSeries, {
            upColor: palette.up,
            borderUpColor: palette.up,
            wickUpColor: palette.up,
            downColor: palette.down,
            borderDownColor: palette.down,
            wickDownColor: palette.down,
            priceLineVisible: false,
            lastValueVisible: false,
          })
        : current.addSeries(AreaSeries, {
            lineColor: color,
            lineWidth: 2,
            lineType: LineType.Simple,
            topColor: `${color}33`,
            bottomColor: `${color}00`,
            priceLineVisible: false,
            lastValueVisible: false,
            crosshairMarkerBorderColor: palette.background,
          });
    series.current = added;
    return () => {
      if (chart.current) current.removeSeries(added);
      series.current = null;
    };
  }, [kind, tone, themeName]);

  const span = useRef({ first: 0, count: 0 });
  useEffect(() => {
    const current = chart.current;
    if (!current || !series.current) return;
    const range = current.timeScale().getVisibleLogicalRange();
    const before = span.current;
    setBars(series.current, bars);
    span.current = { first: bars[0]?.time ?? 0, count: bars.length };
    const isPrepended = range !== null && before.count > 0 && bars.length > before.count && span.current.first < before.first;
    if (isPrepended) {
      const added = bars.length - before.count;
      current.timeScale().setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    } else {
      current.timeScale().fitContent();
    }
    placeExtremes(current, series.current, latest.current, highLabel.current, lowLabel.current);
  }, [bars, kind, tone, themeName]);

  useEffect(() => {
    if (!live || !series.current || !chart.current) return;
    updateBar(series.current, live);
    placeExtremes(chart.current, series.current, latest.current, highLabel.current, lowLabel.current);
  }, [live, bars, kind, tone, themeName]);

  const drawn = useRef<DrawnStudies>(null);
  useEffect(() => {
    const current = chart.current;
    if (!current || !studies) return;
    const added = drawStudies(current, studies, themeName);
    drawn.current = added;
    return () => {
      if (chart.current) added.remove();
      drawn.current = null;
    };
  }, [studies, themeName]);

  useEffect(() => {
    drawn.current?.setBars(withLive(bars, live));
  }, [bars, live, studies, themeName]);

  return (
    <div className={`${styles.chart} ${fills ? styles.fills : ''}`}>
      <div ref={box} className={styles.canvas} role="img" aria-label={label} />
      <span ref={highLabel} aria-hidden="true" className={styles.label} />
      <span ref={lowLabel} aria-hidden="true" className={styles.label} />
      <div ref={pill} aria-hidden="true" className={styles.pill} hidden />
      <a className={styles.attribution} href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        {attribution}
      </a>
    </div>
  );
}

const MARK_UNITS = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
} as const;

/** The canvas pushes the outermost marks inside its edge by their width alone, so each brings the page's gutter along on both sides. */
function markText(time: Time, type: TickMarkType): string | null {
  return typeof time === 'number' ? `${MARK_GUTTER}${axisMark(time, MARK_UNITS[type])}${MARK_GUTTER}` : null;
}

const MARK_GUTTER = '\u00a0'.repeat(6);

function setBars(target: AnySeries, bars: readonly Bar[]): void {
  if (target.seriesType() === 'Area') {
    (target as ISeriesApi<'Area'>).setData(bars.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close })));
  } else {
    (target as ISeriesApi<'Candlestick'>).setData(bars.map((bar) => ({ ...bar, time: bar.time as UTCTimestamp })));
  }
}

function updateBar(target: AnySeries, bar: Bar): void {
  const time = bar.time as UTCTimestamp;
  const newest = target.data().at(-1)?.time;
  // The canvas throws when the past is written to, which a late live bar after a reload would do.
  if (typeof newest === 'number' && bar.time < newest) return;
  if (target.seriesType() === 'Area') (target as ISeriesApi<'Area'>).update({ time, value: bar.close });
  else (target as ISeriesApi<'Candlestick'>).update({ ...bar, time });
}

function placeExtremes(
  chart: IChartApi,
  series: AnySeries | null,
  { bars, live, kind, priceText, extremes }: LightChartProps,
  high: HTMLElement | null,
  low: HTMLElement | null,
): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (!series || !range || !high || !low || bars.length === 0) return;
  const all = withLive(bars, live);
  const visible = all.slice(Math.max(0, Math.floor(range.from)), Math.ceil(range.to) + 1);
  const top = (bar: Bar) => (kind === 'candle' ? bar.high : bar.close);
  const bottom = (bar: Bar) => (kind === 'candle' ? bar.low : bar.close);
  const highest = visible.reduce<Bar | null>((best, bar) => (best && top(best) >= top(bar) ? best : bar), null);
  const lowest = visible.reduce<Bar | null>((best, bar) => (best && bottom(best) <= bottom(bar) ? best : bar), null);
  if (!highest || !lowest) return;
  place(high, extremes.high(priceText(top(highest))), highest.time, series.priceToCoordinate(top(highest)), -22);
  place(low, extremes.low(priceText(bottom(lowest))), lowest.time, series.priceToCoordinate(bottom(lowest)), 6);

  function place(element: HTMLElement, text: string, time: number, y: number | null, shift: number): void {
    const x = chart.timeScale().timeToCoordinate(time as UTCTimestamp);
    element.hidden = x === null || y === null;
    if (x === null || y === null) return;
    element.textContent = text;
    const width = element.offsetWidth;
    const left = Math.min(Math.max(LABEL_EDGE_PX, x - width / 2), chart.timeScale().width() - width - LABEL_EDGE_PX);
    element.style.transform = `translate(${left}px, ${y + shift}px)`;
  }
}

function placePill(
  { time, point, seriesData }: MouseEventParams,
  series: AnySeries | null,
  { isDaily, priceText }: LightChartProps,
  pill: HTMLElement | null,
  box: HTMLElement,
): void {
  if (!pill) return;
  const data = series ? seriesData.get(series) : undefined;
  const price = data && ('value' in data ? data.value : 'close' in data ? data.close : null);
  pill.hidden = typeof time !== 'number' || !point || typeof price !== 'number';
  if (typeof time !== 'number' || !point || typeof price !== 'number') return;
  pill.textContent = `${barTimeText(time, isDaily)}  ${priceText(price)}`;
  const left = Math.min(Math.max(4, point.x - pill.offsetWidth / 2), box.clientWidth - pill.offsetWidth - 4);
  pill.style.transform = `translateX(${left}px)`;
}
