import { type ReactNode, useEffect, useState } from 'react';
import { isConsonants, matchName } from './matchName';
import styles from './SearchOverlay.module.css';

type ConsonantOf = (character: string) => string;

let loaded: ConsonantOf | null = null;

/** Highlights the part of a name that matches a search text. The consonant table is loaded when needed. */
export function useNameMark(text: string): (name: string) => ReactNode {
  const [consonantOf, setConsonantOf] = useState<ConsonantOf | null>(() => loaded);
  const isNeeded = consonantOf === null && isConsonants(text);
  useEffect(() => {
    if (!isNeeded) return;
    let isCancelled = false;
    import(/* webpackChunkName: "search-consonants" */ './firstConsonants').then(
      ({ firstConsonant }) => {
        loaded = firstConsonant;
        if (!isCancelled) setConsonantOf(() => firstConsonant);
      },
      // Without it names are not highlighted.
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [isNeeded]);

  return (name) => {
    const match = matchName(name, text, consonantOf);
    if (match === null) return name;
    const [from, to] = match;
    return (
      <>
        {name.slice(0, from)}
        <mark className={styles.mark}>{name.slice(from, to)}</mark>
        {name.slice(to)}
      </>
    );
  };
}
