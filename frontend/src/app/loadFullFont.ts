/**
 * Adds Pretendard's 92 unicode-range faces after the first screen: names and texts whose glyphs the small preloaded font
 * lacks then load just the pieces they need.
 */
export function loadFullFont(): void {
  const add = () => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/fonts/pretendard.css';
    document.head.append(link);
  };
  if ('requestIdleCallback' in window) window.requestIdleCallback(add, { timeout: 3_000 });
  else setTimeout(add, 1_000);
}
