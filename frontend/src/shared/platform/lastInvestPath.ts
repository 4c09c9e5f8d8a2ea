import { paths } from '@/shared/paths';

const STORAGE_KEY = 'invest-tab';

/** The market list used last on this device, stocks at first. */
export function lastInvestPath(): string {
  return localStorage.getItem(STORAGE_KEY) === 'coin' ? paths.coinList : paths.stockList;
}

export function rememberInvestTab(tab: 'stock' | 'coin'): void {
  localStorage.setItem(STORAGE_KEY, tab);
}
