import type tokens from './tokens.json';

type Tokens = typeof tokens;

/** The custom properties of tokens.json; tokens.css is the committed output. */
export function renderCss({ badge, color, motion, radius, space, type, z }: Tokens): string {
  const theme = (name: 'light' | 'dark', indent: string) =>
    [
      `color-scheme: ${name};`,
      ...Object.entries(color[name]).map(([key, value]) => `--color-${key}: ${value};`),
      ...Object.entries(badge[name]).flatMap(([key, [background, text]]) => [
        `--badge-${key}-bg: ${background};`,
        `--badge-${key}-text: ${text};`,
      ]),
    ]
      .map((line) => indent + line)
      .join('\n');

  const fixed = [
    ...Object.entries(type).map(
      ([key, [size, line, weight]]) => `--type-${key}: ${weight} ${size}/${line} var(--font);`,
    ),
    ...group('space', space),
    ...group('radius', radius),
    ...group('motion', motion),
    ...group('z', z),
  ]
    .map((line) => `  ${line}`)
    .join('\n');

  return `/* Generated from tokens.json by \`npm run tokens\`. */
:root {
${theme('light', '  ')}
${fixed}
}

[data-theme='dark'] {
${theme('dark', '  ')}
}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) {
${theme('dark', '    ')}
  }
}
`;
}

function group(prefix: string, values: Record<string, string | number>): string[] {
  return Object.entries(values).map(([key, value]) => `--${prefix}-${key}: ${value};`);
}
