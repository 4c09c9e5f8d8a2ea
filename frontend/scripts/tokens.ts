// Writes tokens.css from tokens.json. A test fails when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { renderCss } from '../src/shared/tokens/renderCss.ts';
import type tokens from '../src/shared/tokens/tokens.json';

const folder = new URL('../src/shared/tokens/', import.meta.url);
const json = JSON.parse(readFileSync(new URL('tokens.json', folder), 'utf8')) as typeof tokens;
writeFileSync(new URL('tokens.css', folder), renderCss(json));
