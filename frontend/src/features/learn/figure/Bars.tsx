import { fittingAmount } from './amounts';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';
import { HorizontalBars } from './HorizontalBars';
import { Legend, seriesClass } from './Legend';
import { scale } from './scale';
import { useWidth } from './useWidth';

const PLOT_PX = 168;
const VALUE_PX = 20;
const LABEL_PX = 24;
const WIDEST_BAR_PX = 48;
/** Bars that stand next to each other must be as wide as their values. */
const WIDEST_GROUPED_PX = 76;

/** Bars with their values written on them; several series stand next to or on top of each other. */
export function Bars({ figure }: { figure: FigureData }) {
  const names = (figure.series ?? []).map(({ name }) => name);
  return (
    <>
      <Legend names={names} />
      {figure.horizontal ? <HorizontalBars figure={figure} /> : <VerticalBars figure={figure} />}
    </>
  );
}

function VerticalBars({ figure: { labels = [], series = [], unit = '', stacked = false } }: { figure: FigureData }) {
  const { ref, widthPx } = useWidth();
  const columns = labels.map((_, index) => series.map(({ values = [] }) => values[index] ?? 0));
  const tops = columns.map((column) => (stacked ? sum(column) : Math.max(0, ...column)));
  const bottoms = columns.map((column) => (stacked ? 0 : Math.min(0, ...column)));
  const least = Math.min(0, ...bottoms);
  const y = scale([least, Math.max(0, ...tops) || 1], [PLOT_PX - (least < 0 ? VALUE_PX : 0), VALUE_PX]);
  const slotPx = widthPx / Math.max(1, labels.length);
  const inColumn = stacked ? 1 : Math.max(1, series.length);
  const barPx = inColumn === 1 ? Math.min(WIDEST_BAR_PX, slotPx * 0.72) : Math.min(WIDEST_GROUPED_PX, (slotPx * 0.9) / inColumn);
  return (
    <div ref={ref} role="img" aria-label={spoken(labels, series, unit)}>
      <svg width={widthPx} height={PLOT_PX + LABEL_PX} aria-hidden="true" className={styles.svg}>
        {columns.map((column, slot) => {
          const middle = slotPx * (slot + 0.5);
          let below = 0;
          return (
            <g key={labels[slot]}>
              {column.map((value, index) => {
                const from = stacked ? below : 0;
                below += value;
                const top = Math.min(y(from), y(from + value));
                const height = Math.max(1, Math.abs(y(from + value) - y(from)));
                const left = stacked ? middle - barPx / 2 : middle + (index - inColumn / 2) * barPx;
                const text = fittingAmount(value, unit, stacked ? barPx + 8 : inColumn === 1 ? slotPx - 2 : barPx);
                return (
                  <g key={series[index]?.name} className={styles[seriesClass(index)]}>
                    <rect x={left + 1} y={top} width={barPx - 2} height={height} rx={4} className={styles.area} />
                    {!stacked && (
                      <text x={left + barPx / 2} y={value < 0 ? top + height + 15 : top - 6} textAnchor="middle" className={styles.value}>
                        {text}
                      </text>
                    )}
                    {stacked && height > 18 && (
                      <text x={middle} y={top + height / 2 + 5} textAnchor="middle" className={styles.inside}>
                        {text}
                      </text>
                    )}
                  </g>
                );
              })}
              {stacked && (
                <text x={middle} y={y(sum(column)) - 6} textAnchor="middle" className={styles.value}>
                  {fittingAmount(sum(column), unit, slotPx - 2)}
                </text>
              )}
              <text x={middle} y={PLOT_PX + 17} textAnchor="middle" className={styles.label}>
                {labels[slot]}
              </text>
            </g>
          );
        })}
        <line x1={0} x2={widthPx} y1={y(0)} y2={y(0)} className={styles.axis} />
      </svg>
    </div>
  );
}

function sum(values: readonly number[]): number {
  return Number(values.reduce((total, value) => total + value, 0).toPrecision(12));
}

/** The values as a sentence, in the order in which they are seen. */
export function spoken(labels: readonly string[], series: NonNullable<FigureData['series']>, unit: string): string {
  const named = series.length > 1;
  return series
    .map(({ name, values = [] }) => {
      const parts = labels.map((label, index) => `${label} ${fittingAmount(values[index] ?? 0, unit, Infinity)}`);
      return (named ? `${name}: ` : '') + parts.join(', ');
    })
    .join('. ');
}
