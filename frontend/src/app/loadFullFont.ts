import { whenQuiet } from '@/shared/platform/whenQuiet';

/**
 * Adds Pretendard's 92 unicode-range faces after the first screen: names and texts whose glyphs the small preloaded font
 * lacks then load just the pieces they need.
 */
export function loadFullFont(): void {
  whenQuiet(() => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/fonts/pretendard.css';
    document.head.append(link);
  });
}
