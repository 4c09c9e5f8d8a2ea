import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ASSETS, type Category } from '@/shared/api/assets';
import type { Item, MarketCode } from '@/shared/api/types';
import type { Venue } from '@/shared/realtime/connection';
import { InvestTabs } from '@/shared/ui/InvestTabs';
import { PriceNote, PriceStatus } from '@/shared/ui/PriceStatus';
import { SortSelect, useSortParam } from '@/shared/ui/SortSelect';
import { Tabs } from '@/shared/ui/Tabs';
import { TopBar } from '@/shared/ui/TopBar';
import { BrowseList } from './BrowseList';
import { ClosedNote } from './ClosedNote';
import { list } from './copy';
import styles from './ListPage.module.css';
import { SORTS } from './marketQueries';
import { PopularList } from './PopularList';
import { venuesOf } from './venues';

interface Filter {
  value: string;
  label: string;
  /** The market to browse; none for the selections. */
  marketCode?: MarketCode;
  venues: readonly Venue[];
}

type Filters = readonly [Filter, ...Filter[]];
type Market = readonly [tab: 'etf' | 'kospi' | 'kosdaq' | 'us' | 'all', marketCode: MarketCode];
type Markets = readonly [Market, ...Market[]];

const STOCK_MARKETS: Markets = [
  ['etf', 'ETF'],
  ['kospi', 'KOSPI'],
  ['kosdaq', 'KOSDAQ'],
  ['us', 'stocks'],
];

/** The selections and the markets of a category. A short category opens with all of it. */
function filtersOf(category: Category, isShort: boolean): Filters {
  const market = ([tab, marketCode]: Market): Filter => ({ value: tab, label: list[tab], marketCode, venues: venuesOf({ marketCode, tradable: true }) });
  const [first, ...others]: Markets = category === 'stock' ? STOCK_MARKETS : [['all', ASSETS[category].type]];
  const markets: Filters = [market(first), ...others.map(market)];
  const venues = [...new Set(markets.flatMap((filter) => filter.venues))];
  const selection = (value: 'popular' | 'liked' | 'held'): Filter => ({ value, label: list[value], venues });
  const selections: Filters = [selection('popular'), selection('liked'), selection('held')];
  return isShort ? [...markets, ...selections] : [...selections, ...markets];
}

const PANEL_ID = 'item-list';

interface ListPageProps {
  category: Category;
  /** The control that opens the search. */
  search: ReactNode;
  /** The control next to each instrument. */
  heartOf: (item: Item) => ReactNode;
  /** The member's likes of this category. */
  liked: ReactNode;
  /** The member's holdings of this category. */
  held: ReactNode;
  /** Shown above the rows of every filter. */
  above?: ReactNode;
  /** A custom list of all instruments, for a short category. */
  all?: ReactNode;
}

/** The list of stocks, coins or gold. Filter and sort order are in the address, so that back and sharing preserve them. */
export function ListPage({ category, search, above, ...panel }: ListPageProps) {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(category, panel.all !== undefined);
  const [first] = filters;
  const filter = filters.find(({ value }) => value === params.get('tab')) ?? first;

  return (
    <>
      <TopBar title={list.title} actions={<PriceStatus venues={filter.venues} />} />
      <InvestTabs current={category} />
      <main id="main">
        <div className={styles.sticky}>
          <div className={styles.search}>{search}</div>
          <Tabs
            look="chips"
            label={list.filters}
            options={filters}
            value={filter.value}
            panelId={PANEL_ID}
            onChange={(tab) => setParams(tab === first.value ? {} : { tab }, { replace: true })}
          />
        </div>
        <ClosedNote venues={filter.venues} className={styles.closed} />
        {above}
        <div id={PANEL_ID} role="tabpanel" aria-label={filter.label}>
          <Panel
            category={category}
            filter={filter}
            {...panel}
          />
        </div>
        <PriceNote />
      </main>
    </>
  );
}

interface PanelProps extends Omit<ListPageProps, 'search' | 'above'> {
  filter: Filter;
}

function Panel({ category, filter, heartOf, liked, held, all }: PanelProps) {
  if (filter.value === 'liked') return liked;
  if (filter.value === 'held') return held;
  if (filter.value === 'all' && all !== undefined) return all;
  if (filter.marketCode === undefined) return <PopularList category={category} heartOf={heartOf} />;
  return <SortedMarket category={category} marketCode={filter.marketCode} heartOf={heartOf} />;
}

function SortedMarket(props: { category: Category; marketCode: MarketCode; heartOf: ListPageProps['heartOf'] }) {
  const [sort, setSort] = useSortParam(SORTS);
  return (
    <>
      <SortSelect values={SORTS} names={list.sorts} value={sort} onChange={setSort} />
      <BrowseList sort={sort} {...props} />
    </>
  );
}
