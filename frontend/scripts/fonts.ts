// Builds the two parts of our typeface: "App Sans", a small preloaded subset with the glyphs of the first screens' copy, and
// Pretendard's unicode-range chunks for everything else. Pretendard is under the OFL with a reserved name, so a modified font
// must be renamed: the name table is rewritten, and the licence is shipped with the files.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { FIRST_COPY } from './firstCopy.ts';
import { renameFont } from './renameFont.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'node_modules/pretendard/dist');
const target = join(root, 'generated/fonts');
const variable = join(source, 'web/variable');

/** The copy the preloaded font must cover: what all screens share, and the lists and details. */
const FIRST_SCREENS = /^(index\.html|shared\/copy\/copy\.(shared|level|password|signIn)\.ts|shared\/format\/(won|bigWon|change|tone)\.ts|features\/market\/copy\.ts)$/;

/**
 * The default features of browsers, and tabular figures, which our style uses. The others would add unused glyphs, a quarter of
 * the file.
 */
const FEATURES = ['ccmp', 'locl', 'mark', 'mkmk', 'kern', 'liga', 'clig', 'calt', 'rlig', 'tnum'];

const original = readFileSync(join(variable, 'woff2/PretendardVariable.woff2'));
const glyphs = collectGlyphs();
const stamp = createHash('sha256').update(glyphs).update(FEATURES.join()).update(original).digest('hex');
const stampFile = join(target, 'app-sans.stamp');

if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
  console.log(`fonts: up to date (${[...glyphs].length} glyphs)`);
} else {
  mkdirSync(target, { recursive: true });
  const sfnt = await subsetFont(original, glyphs, {
    targetFormat: 'sfnt',
    keepFeatures: FEATURES,
    variationAxes: { wght: { min: 400, max: 700 } },
  });
  const renamed = renameFont(sfnt, 'App Sans');
  const woff2 = await subsetFont(renamed, glyphs, { targetFormat: 'woff2', keepFeatures: FEATURES });
  writeFileSync(join(target, 'app-sans.woff2'), woff2);
  copyPretendard();
  cpSync(join(source, 'LICENSE.txt'), join(target, 'OFL.txt'));
  writeFileSync(stampFile, stamp);
  console.log(`fonts: App Sans ${(woff2.length / 1000).toFixed(1)} kB for ${[...glyphs].length} glyphs`);
}

function collectGlyphs(): string {
  const found = new Set<string>();
  for (let code = 0x20; code < 0x7f; code += 1) found.add(String.fromCodePoint(code));
  for (const character of '·…–—‘’“”•▲▼○●−×÷±₩$€¥°™') found.add(character);
  for (const character of JSON.stringify(FIRST_COPY)) found.add(character);
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => FIRST_SCREENS.test(file) && !/\.test\.tsx?$/.test(file))
    .sort();
  for (const file of files) {
    for (const character of readFileSync(join(root, 'src', file), 'utf8')) {
      if (/[가-힣ㄱ-ㆎ]/.test(character)) found.add(character);
    }
  }
  return [...found].sort().join('');
}

function copyPretendard(): void {
  const chunks = 'woff2-dynamic-subset';
  cpSync(join(variable, chunks), join(target, chunks), { recursive: true });
  const css = readFileSync(join(variable, 'pretendardvariable-dynamic-subset.css'), 'utf8');
  writeFileSync(join(target, 'pretendard.css'), css);
}
