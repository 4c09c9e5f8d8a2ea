import { useEffect, useState } from 'react';
import styles from './RollingNumber.module.css';

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/** A figure whose digits roll. Screen readers get the final text. */
export function RollingNumber({ children: text }: { children: string }) {
  // Starts at zero so that the first appearance rolls, too.
  const [shown, setShown] = useState(() => text.replace(/\d/g, '0'));
  useEffect(() => {
    const frame = requestAnimationFrame(() => setShown(text));
    return () => cancelAnimationFrame(frame);
  }, [text]);
  return (
    <span className={styles.number}>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {[...shown].map((character, index) => {
          const position = shown.length - index;
          return /\d/.test(character) ? (
            <span key={position} className={styles.digit}>
              <span className={styles.reel} style={{ transform: `translateY(-${Number(character) * 10}%)` }}>
                {DIGITS.map((digit) => (
                  <span key={digit}>{digit}</span>
                ))}
              </span>
            </span>
          ) : (
            <span key={position}>{character}</span>
          );
        })}
      </span>
    </span>
  );
}
