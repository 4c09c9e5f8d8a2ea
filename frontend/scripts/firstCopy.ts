// The copy of the static page, taken from the client's own copy.
import { list } from '../src/features/market/copy.ts';
import { search } from '../src/features/search/copy.ts';
import { given } from '../src/shared/copy/copy.given.ts';
import { market, nav, realtime } from '../src/shared/copy/copy.shared.ts';

/** Texts of a list, a detail and home that do not depend on the visit. */
export const FIRST_COPY = {
  title: list.title,
  /** The invest tabs by name. */
  tabs: market.investTab,
  /** The search placeholders by tab. */
  searches: {
    stock: given.searchPlaceholder(search.stock),
    coin: given.searchPlaceholder(search.coin),
    gold: given.searchPlaceholder(search.gold),
  },
  /** The price notes, under the names `before-paint.js` uses. */
  notes: { practice: realtime.practiceExplained, replay: realtime.replayExplained },
  home: nav.home,
  nav: [nav.home, nav.invest, nav.learn, nav.community, nav.my],
} as const;
