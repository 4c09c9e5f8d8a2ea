// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { drawResultCard, type ResultCardFacts } from './resultCard';
import { shareResult } from './shareResult';

const facts: ResultCardFacts = { title: 'Spring Cup', period: '2026.11.01 – 2026.11.14', rank: '4위', returnRt: 2.5, returnText: '+2.5%' };
const card = new Blob(['png'], { type: 'image/png' });
let texts: string[];

/** A canvas whose letters are as wide as a number. */
function fakeCanvas(letterPx: number): void {
  texts = [];
  const context = {
    fillRect: () => undefined,
    beginPath: () => undefined,
    roundRect: () => undefined,
    fill: () => undefined,
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: [...text].length * letterPx }),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as RenderingContext);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(card));
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the card of a result', () => {
  it('says what the result was and that it is practice', async () => {
    fakeCanvas(10);
    expect(await drawResultCard(facts)).toBe(card);
    expect(texts).toEqual(['시드업 대회', 'Spring Cup', '2026.11.01 – 2026.11.14', '최종 순위', '4위', '수익률', '+2.5%', '가상 투자 연습 결과예요']);
  });

  it.each([
    ['two lines', 'abcdefghij klmno', ['abcdefgh', 'ij klmno']],
    ['two lines and no more', 'abcdefghij klmnopqrst', ['abcdefgh', 'ij klmn…']],
  ])('has a long title in %s', async (_name, title, lines) => {
    fakeCanvas(100);
    await drawResultCard({ ...facts, title, rank: null });
    expect(texts.slice(1, 3)).toEqual(lines);
    expect(texts).toContain('순위 밖');
  });

  it('is none where nothing can be drawn', async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    expect(await drawResultCard(facts)).toBeNull();
  });
});

describe('sharing a result', () => {
  const device = (share?: () => Promise<void>, canShare = true) =>
    vi.stubGlobal('navigator', {
      ...(share && { share }),
      canShare: () => canShare,
      clipboard: { writeText: (text: string) => (text === 'refused' ? Promise.reject(new Error('refused')) : Promise.resolve()) },
    });

  it('opens the sheet with the picture', async () => {
    const share = vi.fn(() => Promise.resolve());
    device(share);
    expect(await shareResult(card, 'text')).toBe('sheet');
    expect(share).toHaveBeenCalledWith({ files: [expect.any(File)], text: 'text' });
  });

  it('a sheet that is closed is no failure', async () => {
    device(() => Promise.reject(new DOMException('closed', 'AbortError')));
    expect(await shareResult(card, 'text')).toBe('sheet');
    expect(await shareResult(null, 'text')).toBe('sheet');
  });

  it.each([
    ['takes no files', undefined, false],
    ['fails', () => Promise.reject(new Error('no')), true],
  ])('saves the picture where the sheet %s', async (_name, share, canShare) => {
    device(share, canShare);
    const saved: string[] = [];
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:card', revokeObjectURL: (href: string) => saved.push(href) });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    expect(await shareResult(card, 'text')).toBe('saved');
    expect(saved).toEqual(['seedup-result.png', 'blob:card']);
  });

  it('copies the sentence without a picture', async () => {
    device();
    expect(await shareResult(null, 'text')).toBe('copied');
    expect(await shareResult(null, 'refused')).toBe('failed');
    device(() => Promise.reject(new Error('no')));
    expect(await shareResult(null, 'text')).toBe('copied');
  });

  it('shares the sentence alone in a native shell', async () => {
    const share = vi.fn(() => Promise.resolve());
    device(share);
    vi.stubGlobal('ReactNativeWebView', { postMessage: () => undefined });
    expect(await shareResult(card, 'text')).toBe('sheet');
    expect(share).toHaveBeenCalledWith({ text: 'text' });
  });
});
