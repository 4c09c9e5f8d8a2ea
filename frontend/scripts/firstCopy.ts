// What the page says before the program is there, out of the same copy that the program uses.
import { list } from '../src/features/market/copy.ts';
import { search } from '../src/features/search/copy.ts';
import { given } from '../src/shared/copy/copy.given.ts';
import { market, nav } from '../src/shared/copy/copy.shared.ts';

/** The texts of a list that are the same on every visit. */
export const FIRST_COPY = {
  title: list.title,
  /** The kinds of investing by their tab. */
  tabs: market.investTab,
  /** What stands in the search box, by the tab it belongs to. */
  searches: {
    stock: given.searchPlaceholder(search.stock),
    coin: given.searchPlaceholder(search.coin),
    gold: given.searchPlaceholder(search.gold),
  },
  nav: [nav.home, nav.invest, nav.my],
} as const;
