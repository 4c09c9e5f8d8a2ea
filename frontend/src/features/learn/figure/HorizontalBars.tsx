import { amount } from './amounts';
import { spoken } from './Bars';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';
import { seriesClass } from './Legend';

/** Bars from left to right below their names; for names that are long. */
export function HorizontalBars({ figure: { labels = [], series = [], unit = '', stacked = false } }: { figure: FigureData }) {
  const totals = labels.map((_, row) => series.reduce((total, { values = [] }) => total + (values[row] ?? 0), 0));
  const longest = stacked ? Math.max(...totals) : Math.max(...series.flatMap(({ values = [] }) => [...values]));
  const share = (value: number) => `${longest > 0 ? Math.max(0, (value / longest) * 100) : 0}%`;
  return (
    <div role="img" aria-label={spoken(labels, series, unit)} className={styles.rows}>
      {labels.map((label, row) => (
        <div key={label} aria-hidden="true">
          <p className={styles.rowLabel}>{label}</p>
          <div className={stacked ? styles.stack : undefined}>
            {series.map(({ name, values = [] }, index) => {
              const value = values[row] ?? 0;
              if (stacked && value === 0) return null;
              return (
                <div key={name} className={`${styles.bar} ${styles[seriesClass(index)]}`} style={stacked ? { flexBasis: share(value) } : undefined}>
                  <span className={styles.fill} style={stacked ? undefined : { width: `calc((100% - 5.5rem) * ${longest > 0 ? Math.max(0, value / longest) : 0})` }} />
                  <span className={styles.barValue}>{amount(value, unit)}</span>
                </div>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}
