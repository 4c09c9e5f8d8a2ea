import { useEffect, useState } from 'react';
import styles from './Celebration.module.css';

const PIECES = 18;
/** The longest a celebration may take. */
const DURATION_MS = 1_100;

/** Confetti over the screen: short, ended by any tap, and absent where motion is reduced. It never takes a tap itself. */
export function Celebration() {
  const [isOver, setOver] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (isOver) return undefined;
    const end = () => setOver(true);
    const timer = setTimeout(end, DURATION_MS);
    window.addEventListener('pointerdown', end);
    window.addEventListener('keydown', end);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pointerdown', end);
      window.removeEventListener('keydown', end);
    };
  }, [isOver]);
  if (isOver) return null;
  return (
    <span className={styles.celebration} aria-hidden="true" data-testid="celebration">
      {Array.from({ length: PIECES }, (_, index) => (
        <i key={index} style={{ left: `${(index * 37) % 100}%`, animationDelay: `${(index % 6) * 45}ms`, rotate: `${index * 47}deg` }} />
      ))}
    </span>
  );
}
