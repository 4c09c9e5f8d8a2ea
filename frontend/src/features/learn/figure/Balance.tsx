import styles from './Drawing.module.css';
import type { FigureData, FigureSide } from './figureData';

/** Two sides that are compared. */
export function Balance({ figure: { left, right } }: { figure: FigureData }) {
  return (
    <div className={styles.balance}>
      {[left, right].map((side, index) => side && <Side key={side.title} side={side} isLeft={index === 0} />)}
    </div>
  );
}

function Side({ side: { title, items }, isLeft }: { side: FigureSide; isLeft: boolean }) {
  return (
    <div className={`${styles.side} ${isLeft ? styles.first : styles.second}`}>
      <p className={styles.sideTitle}>{title}</p>
      <ul className={styles.sideItems}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
