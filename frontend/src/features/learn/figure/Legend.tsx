import styles from './Drawing.module.css';

/** The names of series with their colours, and dashes where they are lines. */
export function Legend({ names, dashed = false }: { names: readonly string[]; dashed?: boolean }) {
  if (names.length < 2) return null;
  return (
    <ul className={styles.legend}>
      {names.map((name, index) => (
        <li key={name} className={styles.key}>
          <svg width={dashed ? 22 : 12} height={12} aria-hidden="true" className={styles[seriesClass(index)]}>
            {dashed ? (
              <line x1={1} x2={21} y1={6} y2={6} className={styles.line} strokeDasharray={dashOf(index)} />
            ) : (
              <rect width={12} height={12} rx={3} className={styles.area} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

const COLOURS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** The class that sets the colour of a series. */
export function seriesClass(index: number): (typeof COLOURS)[number] {
  return COLOURS[index % COLOURS.length] ?? 'first';
}

/** Lines differ by dashes as well as by colour. */
export function dashOf(index: number): string | undefined {
  return [undefined, '6 4', '2 4', '10 4 2 4'][index % 4];
}
