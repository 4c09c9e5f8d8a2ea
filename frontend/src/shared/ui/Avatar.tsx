import styles from './Avatar.module.css';

/** A round initial in a colour that always goes with the same name. Decorative: the name stands beside it. */
export function Avatar({ name, size = 40 }: { name: string; size?: number }) {
  const paint = 1 + (hash(name) % 8);
  return (
    <span
      aria-hidden="true"
      className={styles.avatar}
      style={{
        width: size,
        height: size,
        background: `var(--badge-${paint}-bg)`,
        color: `var(--badge-${paint}-text)`,
        fontSize: `${size * 0.4}px`,
      }}
    >
      {initial(name)}
    </span>
  );
}

function initial(name: string): string {
  return [...name.replace(/^[(\s]+/, '')][0]?.toUpperCase() ?? '';
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}
