import { amount, axisAmount } from './amounts';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';
import { dashOf, Legend, seriesClass } from './Legend';
import { niceTicks, scale, textWidthPx } from './scale';
import { useWidth } from './useWidth';

type Point = readonly [x: number, y: number];

const HEIGHT_PX = 208;
const TOP_PX = 26;
const BOTTOM_PX = 28;
const RIGHT_PX = 14;
const Y_TICKS = 3;
const X_LABEL_PX = 44;
const NEAR_AXIS_PX = 24;

/** Lines over labels or over a continuous axis; staircases where the data steps. */
export function Lines({ figure }: { figure: FigureData }) {
  const { labels = [], series = [], x: xName = '', y: yName = '', unit = '', step = false, mark = [] } = figure;
  const { ref, widthPx } = useWidth();
  const lines = series.map(({ name, points, values = [] }) => ({ name, points: points?.length ? points : values.map<Point>((value, index) => [index, value]) }));
  const isContinuous = series.some(({ points }) => points && points.length > 0);
  const all = [...lines.flatMap(({ points }) => [...points]), ...mark.map(([x, y]): Point => [x, y])];
  if (all.length === 0) return null;
  const ys = all.map(([, y]) => y);
  const yTicks = niceTicks(baseOf(ys), Math.max(...ys), Y_TICKS);
  const yLabels = yTicks.map(axisAmount);
  const leftPx = Math.max(...yLabels.map(textWidthPx)) + 10;
  const plotPx = widthPx - leftPx - RIGHT_PX;
  const xs = all.map(([x]) => x);
  const xTicks = isContinuous
    ? niceTicks(Math.min(...xs), Math.max(...xs), Math.min(5, Math.floor(plotPx / X_LABEL_PX))).filter((tick) => tick >= Math.min(...xs) && tick <= Math.max(...xs))
    : labels.map((_, index) => index);
  const xText = isContinuous && isYears(xs) ? String : axisAmount;
  const x = scale([Math.min(...xs), Math.max(...xs)], [leftPx + (isContinuous ? 0 : 12), widthPx - RIGHT_PX - (isContinuous ? 0 : 12)]);
  const y = scale([yTicks[0] ?? 0, yTicks.at(-1) ?? 1], [HEIGHT_PX - BOTTOM_PX, TOP_PX]);
  return (
    <>
      <Legend names={lines.map(({ name }) => name)} dashed />
      <div ref={ref}>
        <svg width={widthPx} height={HEIGHT_PX + (xName === '' ? 0 : 16)} role="img" aria-label={figure.alt} className={styles.svg}>
          <text x={0} y={13} className={styles.label}>
            {yName}
          </text>
          {yTicks.map((tick, index) => (
            <g key={tick}>
              <line x1={leftPx} x2={widthPx} y1={y(tick)} y2={y(tick)} className={styles.grid} />
              <text x={leftPx - 6} y={y(tick) + 4.5} textAnchor="end" className={styles.label}>
                {yLabels[index]}
              </text>
            </g>
          ))}
          {xTicks.map((tick) => (
            <text key={tick} x={x(tick)} y={HEIGHT_PX - 8} textAnchor={anchorAt(x(tick), isContinuous ? xText(tick) : (labels[tick] ?? ''), widthPx)} className={styles.label}>
              {isContinuous ? xText(tick) : labels[tick]}
            </text>
          ))}
          {xName !== '' && (
            <text x={widthPx} y={HEIGHT_PX + 10} textAnchor="end" className={styles.label}>
              {xName}
            </text>
          )}
          {lines.map(({ name, points }, index) => (
            <g key={name} className={styles[seriesClass(index)]}>
              <path d={pathOf(points, x, y, step)} className={styles.line} strokeDasharray={dashOf(index)} />
              {!isContinuous && !step && points.map(([at, value]) => <circle key={at} cx={x(at)} cy={y(value)} r={3.5} className={styles.area} />)}
            </g>
          ))}
          {mark.map(([at, value, label]) => {
            const comesFromAbove = at === Math.max(...xs) && lines.some(({ points }) => (points.findLast(([before]) => before < at)?.[1] ?? -Infinity) > value);
            const isAtAxis = x(at) - leftPx < NEAR_AXIS_PX;
            return (
              <g key={`${at} ${label}`}>
                <circle cx={x(at)} cy={y(value)} r={5} className={styles.mark} />
                <text
                  x={x(at) + (isAtAxis ? 11 : 0)}
                  y={isAtAxis ? y(value) - 6 : comesFromAbove ? y(value) + 22 : Math.max(TOP_PX - 8, y(value) - 10)}
                  textAnchor={isAtAxis ? 'start' : anchorAt(x(at), label, widthPx)}
                  className={styles.value}
                >
                  {label}
                </text>
              </g>
            );
          })}
        </svg>
        <p className="sr-only">{lines.map(({ name, points }) => `${name}: ${points.map(([at, value]) => `${isContinuous ? at : (labels[at] ?? '')} ${amount(value, unit)}`).join(', ')}`).join('. ')}</p>
      </div>
    </>
  );
}

/** Zero, unless the values lie close together far away from it. */
function baseOf(values: readonly number[]): number {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return least > 0 && (most - least) / most > 0.4 ? 0 : least;
}

function pathOf(points: readonly Point[], x: (value: number) => number, y: (value: number) => number, isStep: boolean): string {
  return points
    .map(([at, value], index) => {
      const here = `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      if (index === 0) return `M${here}`;
      return isStep ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `L${here}`;
    })
    .join('');
}

/** Years are numbers that nobody groups. */
function isYears(values: readonly number[]): boolean {
  return values.every((value) => value > 1_900 && value < 2_100);
}

/** Keeps a text that is centred on a position inside the drawing. */
function anchorAt(atPx: number, text: string, widthPx: number): 'start' | 'middle' | 'end' {
  const half = textWidthPx(text) / 2;
  if (atPx + half > widthPx) return 'end';
  return atPx - half < 0 ? 'start' : 'middle';
}
