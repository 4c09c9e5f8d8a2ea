import tokens from './tokens.json';

export type ThemeName = 'light' | 'dark';

/** Colours for the canvas chart, which cannot read custom properties. */
export function chartPalette(theme: ThemeName) {
  const color = tokens.color[theme];
  return { background: color.bg, text: color['text-3'], line: color.line, up: color.up, down: color.down, flat: color.flat };
}
