import type { CandlestickData, IChartApi, MouseEventParams } from 'lightweight-charts';
import { type CSSProperties, use, useEffect, useRef, useState } from 'react';
import type { Tone } from '@/shared/format/tone';
import { useThemeName } from '@/shared/platform/theme';
import type { Studies } from './averages';
import { type Bar, barTimeText } from './bars';
import { listenToDrags } from './drag';
import { withLive } from './liveBars';
import { type Labels, placeLabels } from './labels';
import styles from './LightChart.module.css';
import { loadCanvas } from './loadCanvas';
import type { Reference } from './references';
import type { PriceSeries } from './series';
import type { DrawnStudies } from './studies';
import type { LinePoint } from './downsample';
import { candlesAcross, firstRange, keptRange, narrowed, shareOfWidth } from './viewport';

/** The price under the crosshair. */
export interface Reading {
  time: number;
  price: number;
}

export interface LightChartProps {
  bars: readonly Bar[];
  /** The newest bar, updated by ticks. */
  live: Bar | null;
  /** The points of a line over the bars; null draws candles. */
  line: readonly LinePoint[] | null;
  /** The first bar of the period; earlier ones have been loaded by scrolling. */
  periodFrom: number;
  /** The direction of the whole period; colours the line. */
  tone: Tone;
  isDaily: boolean;
  /** The accessible description. */
  label: string;
  priceText: (price: number) => string;
  extremes: { high: (price: string) => string; low: (price: string) => string };
  attribution: string;
  /** Reference prices; keep the same array while nothing changes. */
  references: readonly Reference[];
  /** Called when the view nears the oldest loaded bar. */
  onNeedOlder?: (() => void) | undefined;
  /** Called with the bar under the crosshair, and with null when there is none. */
  onRead?: (reading: Reading | null) => void;
  /** Indicators; keep the same object while nothing changes. */
  studies?: Studies | undefined;
  /** Takes the height of its parent instead of its own. */
  fills?: boolean;
}

/** Bars left beyond the view before older ones are requested. */
const OLDER_MARGIN_BARS = 12;

/**
 * A canvas chart of one instrument, which suspends while the library loads. Remount it for other bars: another instrument,
 * period or interval.
 */
export default function LightChart(props: LightChartProps) {
  const { bars, live, line, periodFrom, tone, isDaily, label, attribution, priceText, references, studies, fills = false } = props;
  const { addPrice, applyTheme, drawStudies, emptyChart } = use(loadCanvas());
  const isLine = line !== null;
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const pill = useRef<HTMLDivElement>(null);
  const chart = useRef<IChartApi>(null);
  const price = useRef<PriceSeries>(null);
  const latest = useRef(props);
  const drawFrame = useRef(0);
  const themeName = useThemeName();
  const width = useWidth(frame);

  useEffect(() => {
    latest.current = props;
  });

  // The labels follow the canvas, which is drawn in the next frame.
  const scheduleLabels = useRef(() => {
    cancelAnimationFrame(drawFrame.current);
    drawFrame.current = requestAnimationFrame(() => {
      const labels = overlay.current && labelsOf(overlay.current);
      if (!chart.current || !price.current || !labels) return;
      const { bars: drawn, live: newest, line: points, references: compared, priceText, extremes } = latest.current;
      placeLabels(chart.current, price.current.candles, withLive(drawn, newest), compared, points !== null, { priceText, ...extremes }, labels);
    });
  });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const created = emptyChart(element);
    chart.current = created;
    const place = scheduleLabels.current;
    const scale = created.timeScale();
    let isMoved = false;

    const askForOlder = () => {
      const range = scale.getVisibleLogicalRange();
      if (range && range.from < OLDER_MARGIN_BARS) latest.current.onNeedOlder?.();
    };
    const onRange = () => {
      place();
      const range = scale.getVisibleLogicalRange();
      const tooMany = range && latest.current.line === null ? narrowed(range, candlesAcross(element.clientWidth)) : null;
      if (tooMany) scale.setVisibleLogicalRange(tooMany);
      if (isMoved) askForOlder();
    };
    const onCrosshair = (event: MouseEventParams) => {
      const reading = read(event, price.current, latest.current);
      showPill(reading, event.point?.x ?? 0, latest.current, pill.current, element);
      latest.current.onRead?.(reading);
    };
    scale.subscribeVisibleLogicalRangeChange(onRange);
    // Rotating the phone keeps the range and moves everything else.
    scale.subscribeSizeChange(onRange);
    created.subscribeCrosshairMove(onCrosshair);
    // When all bars are in view the chart cannot scroll, so a drag alone requests older ones.
    const stopListening = listenToDrags(element, {
      isReading: () => pill.current?.hidden === false,
      onPast: () => {
        isMoved = true;
        askForOlder();
      },
      onCancel: () => created.clearCrosshairPosition(),
    });
    return () => {
      stopListening();
      cancelAnimationFrame(drawFrame.current);
      latest.current.onRead?.(null);
      created.remove();
      chart.current = null;
      price.current = null;
    };
  }, [emptyChart]);

  useEffect(() => {
    if (chart.current) applyTheme(chart.current, themeName, isDaily);
  }, [applyTheme, themeName, isDaily]);

  const span = useRef<readonly Bar[]>([]);
  useEffect(() => {
    const current = chart.current;
    if (!current) return;
    const added = addPrice(current, isLine, themeName);
    price.current = added;
    // Another style starts with its own part of the period.
    span.current = [];
    return () => {
      if (chart.current) added.remove();
      price.current = null;
    };
  }, [addPrice, isLine, themeName]);

  useEffect(() => {
    price.current?.paint(tone);
  }, [tone, isLine, themeName]);

  useEffect(() => {
    const current = chart.current;
    if (!current || !price.current) return;
    const range = current.timeScale().getVisibleLogicalRange();
    const before = span.current;
    const all = withLive(bars, latest.current.live);
    price.current.setBars(bars, line);
    if (latest.current.live) price.current.update(latest.current.live);
    span.current = all;
    const kept = range && before.length > 0 ? keptRange(range, before, all, isLine) : null;
    current.timeScale().setVisibleLogicalRange(kept ?? firstRange(all.length, periodFrom, box.current?.clientWidth ?? 0, isLine));
    scheduleLabels.current();
  }, [bars, line, periodFrom, isLine, themeName]);

  useEffect(() => {
    if (!live) return;
    price.current?.update(live);
    span.current = withLive(span.current, live);
    scheduleLabels.current();
  }, [live]);

  useEffect(() => {
    price.current?.setReferences(references);
    scheduleLabels.current();
  }, [references, isLine, themeName]);

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
  }, [drawStudies, studies, themeName]);

  useEffect(() => {
    drawn.current?.setBars(withLive(bars, latest.current.live));
  }, [bars, studies, themeName]);

  useEffect(() => {
    if (live) drawn.current?.update(withLive(latest.current.bars, live));
  }, [live]);

  const share = shareOfWidth(bars.length, width, isLine);
  const tagLength = priceText((live ?? bars.at(-1))?.close ?? 0).length;
  const style = { '--share': share, '--tag-length': tagLength } as CSSProperties;
  return (
    <div ref={frame} className={`${styles.chart} ${fills ? styles.fills : ''}`} style={style} data-look={isLine ? 'line' : 'candles'}>
      <div ref={box} className={styles.canvas} role="img" aria-label={label} />
      <div ref={overlay} aria-hidden="true" className={styles.overlay} data-tone={tone}>
        <span data-label="high" className={styles.label} />
        <span data-label="low" className={styles.label} />
        <span data-label="last" className={isLine ? styles.dot : styles.tag} hidden />
        {references.map(({ kind, text }, index) => (
          <span key={`${kind}-${index}`} data-label="reference" data-kind={kind} className={styles.reference} hidden>
            {text}
          </span>
        ))}
      </div>
      <div ref={pill} aria-hidden="true" className={styles.pill} hidden />
      <a className={styles.attribution} href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        {attribution}
      </a>
    </div>
  );
}

function labelsOf(overlay: HTMLElement): Labels | null {
  const find = (name: string) => [...overlay.querySelectorAll<HTMLElement>(`[data-label=${name}]`)];
  const [[high], [low], [last]] = [find('high'), find('low'), find('last')];
  return high && low && last ? { high, low, last, references: find('reference') } : null;
}

/** The bar under the finger. A point of a line stands for several bars and is reported with the time of its own bar. */
function read({ time, point, seriesData }: MouseEventParams, price: PriceSeries | null, { line, live }: LightChartProps): Reading | null {
  const data = price ? (seriesData.get(price.candles) as CandlestickData | undefined) : undefined;
  if (typeof time !== 'number' || !point || !data) return null;
  const onLine = live?.time === time ? undefined : line?.find((candidate) => candidate.time === time);
  return onLine ? { time: onLine.at, price: onLine.value } : { time, price: data.close };
}

function showPill(reading: Reading | null, x: number, { isDaily, priceText }: LightChartProps, pill: HTMLElement | null, box: HTMLElement): void {
  if (!pill) return;
  pill.hidden = reading === null;
  if (!reading) return;
  pill.textContent = `${barTimeText(reading.time, isDaily)}  ${priceText(reading.price)}`;
  const left = Math.min(Math.max(4, x - pill.offsetWidth / 2), Math.max(4, box.clientWidth - pill.offsetWidth - 4));
  pill.style.transform = `translateX(${left}px)`;
}

/** The current width of an element. */
function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
