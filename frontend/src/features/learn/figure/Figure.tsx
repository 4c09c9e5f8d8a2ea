import { lazy, Suspense } from 'react';
import type { FigureData } from './figureData';
import styles from './FigureFrame.module.css';

const Drawing = lazy(() => import(/* webpackChunkName: "figure" */ './Drawing'));

/** A figure with its title and the note of its data. Its box has its size before the drawing code arrives. */
export function Figure({ figure }: { figure: FigureData }) {
  return (
    <figure className={styles.figure} aria-label={figure.alt}>
      <figcaption className={styles.title}>{figure.title}</figcaption>
      <Suspense fallback={<div className={styles.box} />}>
        <div className={styles.box}>
          <Drawing figure={figure} />
        </div>
      </Suspense>
      {figure.note && <p className={styles.note}>{figure.note}</p>}
    </figure>
  );
}
