import type { ReactNode } from 'react';
import { plateCopy } from '@/shared/copy/copy.worn';
import styles from './Worn.module.css';

const FRAMES: Readonly<Record<string, string | undefined>> = {
  'frame-sprout': styles.frameSprout,
  'frame-wave': styles.frameWave,
  'frame-gold': styles.frameGold,
  'frame-diamond': styles.frameDiamond,
};

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
  return look === undefined ? children : <span className={`${styles.frame} ${look}`}>{children}</span>;
}

/** The name plate that is worn beside the nickname. */
export function NamePlate({ image }: WornProps) {
  const look = image ? PLATES[image] : undefined;
  return image && look !== undefined ? <span className={`${styles.plate} ${look}`}>{plateCopy[image]}</span> : null;
}
