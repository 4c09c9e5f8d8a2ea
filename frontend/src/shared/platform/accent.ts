const STORAGE_KEY = 'accent';

/**
 * Shows the accent colours of a theme that is worn, by the name of its picture, and remembers it for the first paint of the next
 * visit (`before-paint.js`). Null shows the usual ones.
 */
export function showAccent(theme: string | null): void {
  const { dataset } = document.documentElement;
  if (theme === null) delete dataset.accent;
  else dataset.accent = theme;
  try {
    if (theme === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage is unavailable: the next visit begins in the usual colours.
  }
}
