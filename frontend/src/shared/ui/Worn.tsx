import type { ReactNode } from 'react';
import { plateCopy } from '@/shared/copy/copy.worn';
import styles from './Worn.module.css';

const FRAMES: Readonly<Record<string, string | undefined>> = {
  'frame-sprout': styles.frameSprout,
  'frame-wave': styles.frameWave,
  'frame-gold': styles.frameGold,
  'frame-diamond': styles.frameDiamond,
};

/** The two leaves of the sprout, as in its picture in the shop; they grow from (32, 12). */
export const SPROUT_LEAVES = 'M32 12c-1-5-5-6-9-6 0 5 4 7 9 6zm0 0c1-5 5-6 9-6 0 5-4 7-9 6z';

const PLATES: Readonly<Record<string, string | undefined>> = {
  'plate-wood': styles.plateWood,
  'plate-first-step': styles.plateFirstStep,
  'plate-opening': styles.plateOpening,
};

interface WornProps {
  /** The name of the item's picture; one that this release does not know looks like none. */
  image: string | null | undefined;
}

/** A profile picture with the frame that is worn. */
export function Framed({ image, children }: WornProps & { children: ReactNode }) {
  const look = image ? FRAMES[image] : undefined;
  return look === undefined ? (
    children
  ) : (
    <span className={`${styles.frame} ${look}`}>
      {children}
      {image === 'frame-sprout' && (
        <svg className={styles.leaves} viewBox="21 4 22 10" aria-hidden="true">
          <path d={SPROUT_LEAVES} />
        </svg>
      )}
    </span>
  );
}

/** The name plate that is worn beside the nickname. */
export function NamePlate({ image }: WornProps) {
  const look = image ? PLATES[image] : undefined;
  return image && look !== undefined ? <span className={`${styles.plate} ${look}`}>{plateCopy[image]}</span> : null;
}
