import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import type { EquityPoint } from '@/shared/api/types';
import { hiddenAmount } from '@/shared/copy/copy.shared';
import { tone } from '@/shared/format/tone';
import { won } from '@/shared/format/won';
import { usePreference } from '@/shared/platform/preferences';
import { Amount } from '@/shared/ui/Amount';
import { equityCopy } from './copy';
import { dayAt, extremes, HEIGHT, pathOf, scaleOf, WIDTH, xOf, yOf } from './geometry';
import styles from './Equity.module.css';

interface EquityChartProps {
  /** Two or more, one a day. */
  points: readonly EquityPoint[];
  /** Percent; its sign gives the line its colour. */
  returnRt: number | null | undefined;
  /** Whether the last point is now. */
  endsNow: boolean;
  /** An index as won, drawn besides. */
  index?: readonly number[] | undefined;
}

/** The worth of the accounts day by day, above or below what was put in. A finger or the arrow keys choose a day. */
export function EquityChart({ points, returnRt, endsNow, index }: EquityChartProps) {
  const summaryId = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const isHidden = usePreference('hideAmounts');
  const equity = points.map((point) => point.equity);
  const base = points.map((point) => point.base);
  const last = points.length - 1;
  const scale = scaleOf(index ? [equity, base, index] : [equity, base]);
  const { highest, lowest } = extremes(equity);
  const shown = Math.min(chosen ?? last, last);
  const point = points[shown];
  if (!point) return null;

  const nameOf = (day: number) => (day === last && endsNow ? equityCopy.now : dayName(points[day]?.date ?? '', points[0]?.date ?? ''));
  const flow = point.flow === 0 || shown === 0 ? '' : equityCopy.flow(won(Math.abs(point.flow)), point.flow > 0);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) setChosen(dayAt((event.clientX - left) / width, points.length));
  };
  const press = (event: KeyboardEvent) => {
    const next = dayOfKey(event.key, shown, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  return (
    <>
      <p className={styles.shown} aria-hidden="true">
        <span className={styles.worth}>
          <Amount>{won(point.equity)}</Amount>
        </span>
        <span className={styles.when}>
          <span>{nameOf(shown)}</span>
          {flow && !isHidden && <span>{flow}</span>}
        </span>
      </p>
      <p id={summaryId} className="sr-only">
        {summaryOf(points, { highest, lowest }, nameOf, isHidden)}
      </p>
      <div
        className={styles.plot}
        data-tone={tone(returnRt)}
        role="slider"
        tabIndex={0}
        aria-label={equityCopy.title}
        aria-describedby={summaryId}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={isHidden ? equityCopy.spoken(nameOf(shown), hiddenAmount.spoken, '') : equityCopy.spoken(nameOf(shown), won(point.equity), flow)}
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => setChosen(null)}
        onPointerUp={({ pointerType }) => pointerType !== 'mouse' && setChosen(null)}
        onPointerCancel={() => setChosen(null)}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.base} d={pathOf(base, scale)} />
          {index && <path className={styles.index} d={pathOf(index, scale)} />}
          <path className={styles.line} d={pathOf(equity, scale)} />
        </svg>
        {points.length > 2 &&
          equity[highest] !== equity[lowest] &&
          [highest, lowest].map((day) => <span key={day} className={styles.extreme} style={placeOf(xOf(day, scale), yOf(equity[day] ?? 0, scale))} />)}
        {chosen !== null && <span className={styles.mark} style={placeOf(xOf(shown, scale), yOf(point.equity, scale))} />}
      </div>
      <p className={styles.axis} aria-hidden="true">
        <span>{nameOf(0)}</span>
        <span>{nameOf(last)}</span>
      </p>
      <dl className={styles.legend}>
        <div>
          <dt>{equityCopy.highest}</dt>
          <dd>
            <Amount>{won(equity[highest])}</Amount>
          </dd>
        </div>
        <div>
          <dt>{equityCopy.lowest}</dt>
          <dd>
            <Amount>{won(equity[lowest])}</Amount>
          </dd>
        </div>
        <div>
          <dt className={styles.dashed}>{equityCopy.base}</dt>
          <dd>
            <Amount>{won(base[last])}</Amount>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** From where to where the line goes, and between which days; without amounts while they are hidden. */
function summaryOf(points: readonly EquityPoint[], { highest, lowest }: ReturnType<typeof extremes>, nameOf: (day: number) => string, isHidden: boolean): string {
  const last = points.length - 1;
  const wonOf = (day: number) => won(points[day]?.equity);
  if (isHidden) return equityCopy.summary(nameOf(0), nameOf(last));
  const whole = equityCopy.summaryOfWon(nameOf(0), wonOf(0), nameOf(last), wonOf(last));
  return `${whole}. ${equityCopy.summaryOfExtremes(wonOf(highest), nameOf(highest), wonOf(lowest), nameOf(lowest))}`;
}

/** Undefined for a key that chooses no day; Escape goes back to the last. */
function dayOfKey(key: string, shown: number, last: number): number | null | undefined {
  const days: Record<string, number | null> = {
    ArrowLeft: Math.max(shown - 1, 0),
    ArrowDown: Math.max(shown - 1, 0),
    ArrowRight: Math.min(shown + 1, last),
    ArrowUp: Math.min(shown + 1, last),
    Home: 0,
    End: last,
    Escape: null,
  };
  return days[key];
}

/** With its year where the days are of several. */
function dayName(date: string, first: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return date.startsWith(first.slice(0, 4)) && first.slice(0, 4) === String(new Date().getFullYear())
    ? equityCopy.day(month, day)
    : equityCopy.dayOfYear(year, month, day);
}

function placeOf(x: number, y: number): CSSProperties {
  return { insetInlineStart: `${x}%`, insetBlockStart: `${y}%` };
}
