import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Manifest {
  name: string;
  short_name: string;
  lang: string;
  start_url: string;
  display: string;
  theme_color: string;
  background_color: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}
const manifest = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')) as Manifest;

describe('the manifest', () => {
  it('makes the app installable', () => {
    expect(manifest).toMatchObject({ short_name: '시드업', lang: 'ko', start_url: '/', display: 'standalone' });
    expect(manifest.name).toContain('시드업');
    expect(manifest.theme_color).toMatch(/^#[0-9A-F]{6}$/i);
    expect(manifest.background_color).toMatch(/^#[0-9A-F]{6}$/i);
    expect(manifest.icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
  });

  it.each(manifest.icons)('has a PNG of $sizes at $src', ({ src, sizes, type }) => {
    const png = readFileSync(`public${src}`);
    expect(type).toBe('image/png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  });

  it('is what the page links to', () => {
    const page = readFileSync('src/index.html', 'utf8');
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  });
});
