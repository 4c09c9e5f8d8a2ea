import styles from './Drawing.module.css';
import type { FigureData } from './figureData';

/** Rows and columns of words; one cell may stand out. */
export function Table({ figure: { alt, columns = [], rows = [], emphasis = null } }: { figure: FigureData }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="sr-only">{alt}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.join('|')}>
              {row.map((cell, column) => {
                const isEmphasised = emphasis?.[0] === at && emphasis[1] === column;
                const content = isEmphasised ? <strong className={styles.emphasis}>{cell}</strong> : cell;
                return column === 0 ? (
                  <th key={columns[column]} scope="row">
                    {content}
                  </th>
                ) : (
                  <td key={columns[column]}>{content}</td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
