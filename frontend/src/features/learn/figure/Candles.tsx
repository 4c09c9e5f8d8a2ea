import { figureCopy } from './copy';
import { amount, axisAmount } from './amounts';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';
import { niceTicks, scale, textWidthPx } from './scale';
import { useWidth } from './useWidth';

const HEIGHT_PX = 208;
const TOP_PX = 12;
const BOTTOM_PX = 28;
const WIDEST_PX = 28;
const TICKS = 3;

/** Candles in the colours of prices: red rises, blue falls. */
export function Candles({ figure: { candles = [], unit = '' } }: { figure: FigureData }) {
  const { ref, widthPx } = useWidth();
  const ticks = niceTicks(Math.min(...candles.map(([, , , low]) => low)), Math.max(...candles.map(([, , high]) => high)), TICKS);
  const names = ticks.map(axisAmount);
  const leftPx = Math.max(...names.map(textWidthPx)) + 10;
  const slotPx = (widthPx - leftPx) / candles.length;
  const bodyPx = Math.min(WIDEST_PX, slotPx * 0.55);
  const y = scale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [HEIGHT_PX - BOTTOM_PX, TOP_PX]);
  return (
    <div ref={ref}>
      <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={candles.map((candle) => spoken(candle, unit)).join(' ')} className={styles.svg}>
        {ticks.map((tick, index) => (
          <g key={tick}>
            <line x1={leftPx} x2={widthPx} y1={y(tick)} y2={y(tick)} className={styles.grid} />
            <text x={leftPx - 6} y={y(tick) + 4.5} textAnchor="end" className={styles.label}>
              {names[index]}
            </text>
          </g>
        ))}
        {candles.map(([label, open, high, low, close], index) => {
          const middle = leftPx + slotPx * (index + 0.5);
          return (
            <g key={label} className={close < open ? styles.fall : styles.rise}>
              <line x1={middle} x2={middle} y1={y(high)} y2={y(low)} className={styles.wick} />
              <rect x={middle - bodyPx / 2} y={y(Math.max(open, close))} width={bodyPx} height={Math.max(2, Math.abs(y(open) - y(close)))} rx={2} className={styles.area} />
              <text x={middle} y={HEIGHT_PX - 8} textAnchor="middle" className={styles.label}>
                {label}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function spoken([label, open, high, low, close]: NonNullable<FigureData['candles']>[number], unit: string): string {
  return figureCopy.candle(label, amount(open, unit), amount(high, unit), amount(low, unit), amount(close, unit));
}
