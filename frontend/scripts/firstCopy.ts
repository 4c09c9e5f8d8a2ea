// What the page says before the program is there, out of the same copy that the program uses.
import { list } from '../src/features/market/copy.ts';
import { search } from '../src/features/search/copy.ts';
import { given } from '../src/shared/copy/copy.given.ts';
import { market, nav, realtime } from '../src/shared/copy/copy.shared.ts';

/** The texts of a list, a detail and home that are the same on every visit of an installation. */
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
  /** What kind of prices a detail shows, by the name that `before-paint.js` gives it. */
  notes: { practice: realtime.practiceExplained, replay: realtime.replayExplained },
  home: nav.home,
  nav: [nav.home, nav.invest, nav.my],
} as const;
