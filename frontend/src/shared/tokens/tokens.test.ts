import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderCss } from './renderCss';
import tokens from './tokens.json';

describe('tokens.css', () => {
  it('is generated from tokens.json', () => {
    expect(readFileSync('src/shared/tokens/tokens.css', 'utf8')).toBe(renderCss(tokens));
  });
});

describe.each(['light', 'dark'] as const)('contrast in the %s theme', (theme) => {
  const color = tokens.color[theme];
  const backgrounds = ['bg', 'bg-sub', 'surface', 'fill'] as const;
  const texts = ['text', 'text-2', 'text-3', 'accent', 'up', 'down', 'flat'] as const;

  it.each(texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)))(
    '%s on %s is readable',
    (text, background) => expect(contrast(color[text], color[background])).toBeGreaterThanOrEqual(4.5),
  );

  it.each(['success', 'warning', 'danger'] as const)('%s on the page is readable', (text) =>
    expect(contrast(color[text], color.bg)).toBeGreaterThanOrEqual(4.5),
  );

  it.each([
    ['text', 'segment'],
    ['up', 'up-bg'],
    ['down', 'down-bg'],
    ['accent', 'accent-bg'],
    ['btn-label', 'btn-primary'],
    ['btn-label', 'btn-buy'],
    ['btn-label', 'btn-sell'],
    ['snackbar-text', 'snackbar'],
    ['snackbar-action', 'snackbar'],
    ['competition', 'competition-bg'],
  ] as const)('%s on %s is readable', (text, background) =>
    expect(contrast(color[text], color[background])).toBeGreaterThanOrEqual(4.5),
  );

  it.each(backgrounds)('control outlines and hearts stand out on %s', (background) => {
    expect(contrast(color.control, color[background])).toBeGreaterThanOrEqual(3);
    expect(contrast(color.heart, color[background])).toBeGreaterThanOrEqual(3);
  });

  it.each(backgrounds)('a gauge is seen on %s, and how full it is', (background) => {
    expect(contrast(color.track, color[background])).toBeGreaterThanOrEqual(1.35);
    expect(contrast(color['btn-primary'], color.track)).toBeGreaterThanOrEqual(1.9);
  });

  it('a hairline is seen on the page and on sheets', () => {
    for (const background of ['bg', 'surface'] as const) expect(contrast(color.line, color[background])).toBeGreaterThanOrEqual(1.2);
  });

  it.each(Object.entries(tokens.badge[theme]))('badge %s is readable', (_level, [background = '', text = '']) =>
    expect(contrast(background, text)).toBeGreaterThanOrEqual(4.5),
  );
});

describe.each(['light', 'dark'] as const)('themes that are worn, in the %s theme', (theme) => {
  const color = tokens.color[theme];

  it.each(Object.entries(tokens.worn[theme]))('%s is readable', (_name, worn) => {
    for (const background of ['bg', 'bg-sub', 'surface', 'fill'] as const) expect(contrast(worn.accent, color[background])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(worn.accent, worn['accent-bg'])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color.text, worn['accent-bg'])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(worn['btn-primary'], color['btn-label'])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(worn['btn-primary'], color.track)).toBeGreaterThanOrEqual(1.9);
  });
});

describe('the tint of the accent', () => {
  it('follows the theme that is worn: the accent never stands on the tint of a falling price', () => {
    const mixed = globSync('src/**/*.module.css').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/[^{}]+\{([^{}]*)\}/g)].flatMap(([rule, body = '']) =>
        body.includes('var(--color-down-bg)') && body.includes('var(--color-accent)') ? [`${file} ${rule}`] : [],
      ),
    );
    expect(mixed).toEqual([]);
  });
});

describe('cards and bands', () => {
  const rules = globSync('src/**/*.module.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/([^{}]+)\{([^{}]*var\(--color-bg-sub\)[^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
      name: `${file} ${selector.trim().split('\n').at(-1) ?? ''}`,
      body,
    })),
  );

  // Headings of days are read by their text.
  it.each(rules.filter(({ name }) => !/(::backdrop|\.heading)$/.test(name)))('$name has an edge', ({ body }) =>
    expect(body).toMatch(/var\(--(card-edge|band-edges(-below)?)\)/),
  );

  it('are found', () => expect(rules.length).toBeGreaterThan(10));
});

/** WCAG 2 contrast ratio of two #RRGGBB colours, 1 to 21. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const channel = (start: number) => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
