import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import type { Category } from '@/shared/api/assets';
import type { CandleType, Item } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { price } from '@/shared/format/price';
import { changePct, shownPct } from '@/shared/format/pct';
import { tone } from '@/shared/format/tone';
import { Button } from '@/shared/ui/Button';
import type { Studies } from '@/shared/ui/chart/averages';
import type { Bar } from '@/shared/ui/chart/bars';
import { chartScreen } from '@/shared/ui/chart/copy';
import { withLive } from '@/shared/ui/chart/liveBars';
import { type Choice, intervalSeconds, periodWith } from '@/shared/ui/chart/intervals';
import LightChart, { type Reading } from '@/shared/ui/chart/LightChart';
import { extremes } from '@/shared/ui/chart/viewport';
import { ExpandIcon, TableIcon } from './chartIcons';
import { useArrived } from '@/shared/ui/useArrived';
import { CandleTable } from './CandleTable';
import styles from './ChartBox.module.css';
import { ChartControls } from './ChartControls';
import type { ChartViewStore } from './chartView';
import { chart } from './copy';
import { useChartBars } from './useChartBars';
import { useReferences } from './useReferences';

const ChartScreen = lazy(() => import(/* webpackChunkName: "chart-screen" */ '@/shared/ui/chart/ChartScreen'));

const PANEL_ID = 'chart-panel';
const VOLUME: Studies = { averages: [], volume: true };

/** The chart of an instrument with its five periods, as a line, candles or a table. */
export function ChartBox({ item, category, view }: { item: Item; category: Category; view: ChartViewStore }) {
  const [period, setPeriod] = useState<CandleType>('DAY');
  const [isLine, setLine] = useState(true);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [isTableOpen, setTableOpen] = useState(false);
  const [isScreenOpen, setScreenOpen] = useState(false);
  const [wasScreenOpened, setScreenOpened] = useState(false);
  const chartBars = useChartBars(item, category, period, isLine ? { kind: 'line' } : { kind: 'candle', choice });
  const { bars, live, source, interval, quote, isPending, isError, refetch } = chartBars;
  const priceText = useCallback((value: number) => price(value, item.currency), [item.currency]);
  const onRead = useCallback((reading: Reading | null) => view.setState({ reading }), [view]);

  const periodBars = withLive(bars, live).slice(chartBars.periodFrom);
  const [first] = periodBars;
  const last = periodBars.at(-1);
  const hasArrived = useArrived(first);
  const base = period === 'DAY' ? quote.previousClose : (first?.open ?? null);
  const references = useReferences(item, category, period === 'DAY' ? quote.previousClose : null, priceText);
  useEffect(() => view.setState({ period, base }), [view, period, base]);

  const isDaily = intervalSeconds(interval) === null;
  const chartKey = `${item.isuSrtCd}-${period}-${interval}`;
  const drawn =
    first && last && hasArrived
      ? {
          bars,
          live,
          line: chartBars.line,
          periodFrom: chartBars.periodFrom,
          tone: tone(shownPct(changePct(last.close, base))),
          isDaily,
          label: summary(item.isuKorNm, period, periodBars, priceText),
          priceText,
          extremes: chart,
          attribution: chart.attribution,
          references,
          onNeedOlder: chartBars.fetchOlder,
          onRead,
        }
      : null;
  const stateOfChart = <ChartState isPending={isPending || first !== undefined} isError={isError} onRetry={refetch} />;
  const controls = {
    period,
    onPeriod: setPeriod,
    isLine,
    onLine: setLine,
    interval,
    onInterval: (next: Choice) => {
      setChoice(next);
      setPeriod(periodWith(next, period));
    },
    panelId: PANEL_ID,
  };

  return (
    <section aria-label={chart.periodLabel}>
      <div id={PANEL_ID} role="tabpanel" aria-label={chart.periods[period]} className={`${styles.box} ${isLine ? '' : styles.lower}`} aria-busy={isPending}>
        {drawn ? (
          <Suspense fallback={<span className={styles.skeleton} />}>
            <LightChart key={chartKey} {...drawn} fills studies={isLine ? undefined : VOLUME} />
          </Suspense>
        ) : (
          stateOfChart
        )}
      </div>
      <ChartControls {...controls}>
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
      </ChartControls>
      {wasScreenOpened && (
        <Suspense fallback={null}>
          <ChartScreen
            open={isScreenOpen}
            onClose={() => setScreenOpen(false)}
            name={item.isuKorNm}
            chart={drawn}
            chartKey={chartKey}
            state={stateOfChart}
            controls={<ChartControls {...controls} />}
          />
        </Suspense>
      )}
      <CandleTable
        open={isTableOpen}
        title={chart.tableTitle(item.isuKorNm, chart.periods[period])}
        bars={isLine ? source : bars}
        isDaily={isDaily}
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

function summary(name: string, period: CandleType, bars: readonly Bar[], priceText: (price: number) => string): string {
  const found = extremes(bars);
  const [first] = bars;
  const last = bars.at(-1);
  if (!found || !first || !last) return name;
  const figures = [first.open, last.close, found.highest.high, found.lowest.low] as const;
  const [open, now, high, low] = figures.map(priceText) as [string, string, string, string];
  return chart.summary(name, chart.periods[period], open, now, high, low);
}
