import { whenPageIdle } from '@/shared/platform/whenPageIdle';

/**
 * Adds Pretendard's 92 unicode-range faces after the first screen: names and texts whose glyphs the small preloaded font
 * lacks then load just the pieces they need.
 */
export function loadFullFont(): void {
  whenPageIdle(() => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/fonts/pretendard.css';
    document.head.append(link);
  });
}
