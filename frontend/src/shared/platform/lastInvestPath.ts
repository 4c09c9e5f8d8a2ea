import { CATEGORIES, type Category } from '@/shared/api/assets';
import { listHref } from '@/shared/paths';

/** The tabs of the invest section. */
export type InvestTab = Category | 'product';
export const INVEST_TABS: readonly InvestTab[] = [...CATEGORIES, 'product'];

const STORAGE_KEY = 'invest-tab';

/** The last tab used on this device; stocks by default. */
function lastInvestTab(): InvestTab {
  const remembered = localStorage.getItem(STORAGE_KEY);
  return INVEST_TABS.find((tab) => tab === remembered) ?? 'stock';
}

export function lastInvestPath(): string {
  return listHref(lastInvestTab());
}

export function rememberInvestTab(tab: InvestTab): void {
  localStorage.setItem(STORAGE_KEY, tab);
}
