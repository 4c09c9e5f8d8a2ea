import { markOf } from '@/shared/format/mark';
import styles from './Avatar.module.css';

const PAINTS = [styles.paint1, styles.paint2, styles.paint3, styles.paint4, styles.paint5, styles.paint6, styles.paint7, styles.paint8];
const USUAL_PX = 40;

/** The two-character mark of a name in a circle, with a colour derived from the name. Decorative: the name is next to it. */
export function Avatar({ name, size = USUAL_PX }: { name: string; size?: number }) {
  return (
    <span
      aria-hidden="true"
      className={`${styles.avatar} ${PAINTS[hash(name) % PAINTS.length]}`}
      // The default size comes from the class: a long list renders many of these.
      style={size === USUAL_PX ? undefined : { width: size, height: size, lineHeight: `${size}px`, fontSize: size * 0.35 }}
    >
      {markOf(name)}
    </span>
  );
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}
