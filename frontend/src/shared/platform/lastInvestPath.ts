import { paths } from '@/shared/paths';

/** The tabs of the invest section. */
export const INVEST_TABS = ['stock', 'coin', 'gold', 'product'] as const;
export type InvestTab = (typeof INVEST_TABS)[number];

const STORAGE_KEY = 'invest-tab';

export function investTabPath(tab: InvestTab): string {
  switch (tab) {
    case 'stock':
      return paths.stockList;
    case 'coin':
      return paths.coinList;
    case 'gold':
      return paths.goldList;
    case 'product':
      return paths.productList;
  }
}

/** The last tab used on this device; stocks by default. */
export function lastInvestTab(): InvestTab {
  const remembered = localStorage.getItem(STORAGE_KEY);
  return INVEST_TABS.find((tab) => tab === remembered) ?? 'stock';
}

export function lastInvestPath(): string {
  return investTabPath(lastInvestTab());
}

export function rememberInvestTab(tab: InvestTab): void {
  localStorage.setItem(STORAGE_KEY, tab);
}
