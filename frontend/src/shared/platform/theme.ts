import { useSyncExternalStore } from 'react';
import type { ThemeName } from '@/shared/tokens/tokens';

export type ThemeChoice = 'system' | ThemeName;

const STORAGE_KEY = 'theme';
const listeners = new Set<() => void>();
const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The chosen theme; `system` follows the device. */
function themeChoice(): ThemeChoice {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function chooseTheme(choice: ThemeChoice): void {
  const root = document.documentElement;
  if (choice === 'system') {
    delete root.dataset.theme;
    localStorage.removeItem(STORAGE_KEY);
  } else {
    root.dataset.theme = choice;
    localStorage.setItem(STORAGE_KEY, choice);
  }
  paintBrowserBar();
  for (const listener of listeners) listener();
}

/** The effective theme, for what cannot use custom properties. */
export function useThemeName(): ThemeName {
  return useSyncExternalStore(subscribe, effectiveTheme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice);
}

/** Applies a chosen theme to the browser's own bar; the two media-bound tags handle the device's theme. */
export function paintBrowserBar(): void {
  const choice = themeChoice();
  const tags = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
  for (const tag of tags) tag.dataset.own ??= tag.content;
  const chosen = tags.find((tag) => tag.getAttribute('media')?.includes(choice))?.dataset.own;
  for (const tag of tags) tag.content = chosen ?? tag.dataset.own ?? '';
}

function effectiveTheme(): ThemeName {
  const choice = themeChoice();
  if (choice !== 'system') return choice;
  return prefersDark().matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const media = prefersDark();
  media.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
  };
}
