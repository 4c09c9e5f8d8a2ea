// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import tokens from '@/shared/tokens/tokens.json';
import { chooseTheme, paintBrowserBar } from './theme';

const tags = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
const colors = () => tags().map(({ content }) => content.toUpperCase());
const light = tokens.color.light.bg.toUpperCase();
const dark = tokens.color.dark.bg.toUpperCase();

beforeEach(() => {
  document.head.innerHTML = readFileSync('src/index.html', 'utf8').match(/<meta name="theme-color"[^>]*>/g)?.join('') ?? '';
});
afterEach(() => {
  chooseTheme('system');
  document.head.innerHTML = '';
});

it('the browser bar has the background colour of the chosen theme, or of the device’s', () => {
  paintBrowserBar();
  expect(colors()).toEqual([light, dark]);
  chooseTheme('dark');
  expect(colors()).toEqual([dark, dark]);
  chooseTheme('light');
  expect(colors()).toEqual([light, light]);
  chooseTheme('system');
  expect(colors()).toEqual([light, dark]);
});
