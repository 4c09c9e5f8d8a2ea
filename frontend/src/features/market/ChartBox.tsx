import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Category } from '@/shared/api/queryKeys';
import type { CandleType, Item } from '@/shared/api/types';
import { money } from '@/shared/format/money';
import { tone } from '@/shared/format/tone';
import { useResumes } from '@/shared/realtime/connection';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { Button } from '@/shared/ui/Button';
import { chartScreen } from '@/shared/ui/chart/copy';
import { type Bar, barsFrom, isDailyPeriod, liveBar } from '@/shared/ui/chart/bars';
import { state } from '@/shared/copy/copy.shared';
import { CandleIcon, ExpandIcon, LineIcon, TableIcon } from '@/shared/ui/icons';
import { Tabs } from '@/shared/ui/Tabs';
import { useArrived } from '@/shared/ui/useArrived';
import { CandleTable } from './CandleTable';
import styles from './ChartBox.module.css';
import { chart } from './copy';
import { candlesQuery } from './marketQueries';

const LightChart = lazy(async () => {
  const loading = import(/* webpackChunkName: "chart" */ '@/shared/ui/chart/LightChart');
  await whenIdle();
  return loading;
});

const ChartScreen = lazy(() => import(/* webpackChunkName: "chart-screen" */ '@/shared/ui/chart/ChartScreen'));

const CHART_WAIT_MS = 500;

/** The price is there first: making and drawing a chart is the longest single piece of work of its screen. */
function whenIdle(): Promise<unknown> {
  if (!('requestIdleCallback' in window)) return Promise.resolve();
  return new Promise((resolve) => window.requestIdleCallback(resolve, { timeout: CHART_WAIT_MS }));
}

const PERIODS = (Object.keys(chart.periods) as CandleType[]).map((value) => ({ value, label: chart.periods[value] }));
const PANEL_ID = 'chart-panel';

/** The chart of an instrument with its five periods, as a picture or as a table. */
export function ChartBox({ item, category }: { item: Item; category: Category }) {
  const [period, setPeriod] = useState<CandleType>('DAY');
  const [kind, setKind] = useState<'line' | 'candle'>('line');
  const [isTableOpen, setTableOpen] = useState(false);
  const [isScreenOpen, setScreenOpen] = useState(false);
  const [wasScreenOpened, setScreenOpened] = useState(false);
  const code = item.isuSrtCd;
  const query = useInfiniteQuery(candlesQuery(category, code, period));
  const bars = useMemo(() => barsFrom(query.data ?? []), [query.data]);
  const live = useLiveBar(item, bars, period);
  useBackfill(() => void query.refetch());

  const [first] = bars;
  const hasArrived = useArrived(first);
  const last = live ?? bars.at(-1);
  const priceText = useCallback((price: number) => money(price, item.currency), [item.currency]);

  const chartKey = `${code}-${period}`;
  const drawn =
    first && last && hasArrived
      ? {
          bars,
          live,
          kind,
          tone: tone(last.close - first.open),
          isDaily: isDailyPeriod(period),
          label: summary(item.isuKorNm, period, bars, last, priceText),
          priceText,
          extremes: chart,
          attribution: chart.attribution,
          onNeedOlder: query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined,
        }
      : null;
  const stateOfChart = <ChartState isPending={query.isPending || first !== undefined} isError={query.isError} onRetry={() => void query.refetch()} />;
  const kindSwitch = (
    <button
      type="button"
      className={styles.tool}
      aria-label={kind === 'line' ? chart.candle : chart.line}
      onClick={() => setKind(kind === 'line' ? 'candle' : 'line')}
    >
      {kind === 'line' ? <CandleIcon /> : <LineIcon />}
    </button>
  );

  return (
    <section aria-label={chart.periodLabel}>
      <div id={PANEL_ID} role="tabpanel" aria-label={chart.periods[period]} className={styles.box} aria-busy={query.isPending}>
        {drawn ? (
          <Suspense fallback={<span className={styles.skeleton} />}>
            <LightChart key={chartKey} {...drawn} />
          </Suspense>
        ) : (
          stateOfChart
        )}
      </div>
      <div className={styles.controls}>
        <Tabs label={chart.periodLabel} options={PERIODS} value={period} onChange={setPeriod} panelId={PANEL_ID} />
        {kindSwitch}
        <button type="button" className={styles.tool} aria-label={chart.table} onClick={() => setTableOpen(true)}>
          <TableIcon />
        </button>
        <button
          type="button"
          className={styles.tool}
          aria-label={chartScreen.open}
          onClick={() => {
            setScreenOpened(true);
            setScreenOpen(true);
          }}
        >
          <ExpandIcon />
        </button>
      </div>
      {wasScreenOpened && (
        <Suspense fallback={null}>
          <ChartScreen
            open={isScreenOpen}
            onClose={() => setScreenOpen(false)}
            name={item.isuKorNm}
            chart={drawn}
            chartKey={chartKey}
            state={stateOfChart}
            controls={
              <div className={styles.controls}>
                <Tabs label={chart.periodLabel} options={PERIODS} value={period} onChange={setPeriod} panelId={PANEL_ID} />
                {kindSwitch}
              </div>
            }
          />
        </Suspense>
      )}
      <CandleTable
        open={isTableOpen}
        title={chart.tableTitle(item.isuKorNm, chart.periods[period])}
        bars={bars}
        isDaily={isDailyPeriod(period)}
        priceText={priceText}
        onClose={() => setTableOpen(false)}
      />
    </section>
  );
}

function ChartState({ isPending, isError, onRetry }: { isPending: boolean; isError: boolean; onRetry: () => void }) {
  if (isPending) return <span className={styles.skeleton} />;
  if (!isError) return <p className={styles.state}>{chart.empty}</p>;
  return (
    <div className={styles.state} role="alert">
      <p>{chart.error}</p>
      <Button tone="neutral" onClick={onRetry}>
        {state.retry}
      </Button>
    </div>
  );
}

/** The newest bar, moved by each tick; a new minute of a day's chart starts a new one. */
function useLiveBar(item: Item, bars: readonly Bar[], period: CandleType): Bar | null {
  const quote = useLiveQuote(item);
  const held = useRef<{ bars: readonly Bar[]; bar: Bar | null }>({ bars, bar: null });
  return useMemo(() => {
    if (held.current.bars !== bars) held.current = { bars, bar: null };
    const next = liveBar(held.current.bar ?? bars.at(-1), quote, period);
    if (next) held.current.bar = next;
    return held.current.bar;
  }, [bars, period, quote]);
}

/** After a pause of the live prices the history is read anew, so that no candle is missing. */
function useBackfill(refetch: () => void): void {
  const resumes = useResumes();
  const seen = useRef(resumes);
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    if (resumes > seen.current && seen.current > 0) latest.current();
    seen.current = resumes;
  }, [resumes]);
}

function summary(name: string, period: CandleType, bars: readonly Bar[], last: Bar, priceText: (price: number) => string): string {
  const highest = Math.max(last.high, ...bars.map(({ high }) => high));
  const lowest = Math.min(last.low, ...bars.map(({ low }) => low));
  return chart.summary(
    name,
    chart.periods[period],
    priceText(bars[0]?.open ?? last.open),
    priceText(last.close),
    priceText(highest),
    priceText(lowest),
  );
}
