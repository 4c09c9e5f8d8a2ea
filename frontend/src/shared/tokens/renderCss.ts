import type tokens from './tokens.json';

type Tokens = typeof tokens;

/** The custom properties of tokens.json; tokens.css is the committed output. */
export function renderCss({ badge, color, motion, radius, space, type, worn, z }: Tokens): string {
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

  // Also below the root, so that a sample can show a theme that is not worn.
  const wornThemes = (name: 'light' | 'dark', scope: string) =>
    Object.entries(worn[name])
      .map(([key, colors]) => {
        const rules = Object.entries(colors).map(([color, value]) => `--color-${color}: ${value};`);
        return `${scope.replaceAll('&', `[data-accent='${key}']`)} { ${rules.join(' ')} }`;
      })
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

${wornThemes('light', '&')}
${wornThemes('dark', "[data-theme='dark']&, [data-theme='dark'] &")}

@media (prefers-color-scheme: dark) {
${wornThemes('dark', ':root:not([data-theme])&, :root:not([data-theme]) &')}
}
`;
}

function group(prefix: string, values: Record<string, string | number>): string[] {
  return Object.entries(values).map(([key, value]) => `--${prefix}-${key}: ${value};`);
}
