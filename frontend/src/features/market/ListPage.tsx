import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Category } from '@/shared/api/queryKeys';
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
import { COIN, DOMESTIC, GOLD, SHARES, UNITED_STATES } from './venues';

interface Filter {
  value: string;
  label: string;
  /** The market to browse; none for the selections. */
  marketCode?: MarketCode;
  venues: readonly Venue[];
}

const FILTERS: Record<Category, readonly [Filter, ...Filter[]]> = {
  stock: [
    { value: 'popular', label: list.popular, venues: SHARES },
    { value: 'liked', label: list.liked, venues: SHARES },
    { value: 'held', label: list.held, venues: SHARES },
    { value: 'etf', label: list.etf, marketCode: 'ETF', venues: DOMESTIC },
    { value: 'kospi', label: list.kospi, marketCode: 'KOSPI', venues: DOMESTIC },
    { value: 'kosdaq', label: list.kosdaq, marketCode: 'KOSDAQ', venues: DOMESTIC },
    { value: 'us', label: list.us, marketCode: 'stocks', venues: UNITED_STATES },
  ],
  coin: [
    { value: 'popular', label: list.popular, venues: COIN },
    { value: 'liked', label: list.liked, venues: COIN },
    { value: 'held', label: list.held, venues: COIN },
    { value: 'all', label: list.all, marketCode: 'COIN', venues: COIN },
  ],
  gold: [
    { value: 'all', label: list.all, marketCode: 'GOLD', venues: GOLD },
    { value: 'popular', label: list.popular, venues: GOLD },
    { value: 'liked', label: list.liked, venues: GOLD },
    { value: 'held', label: list.held, venues: GOLD },
  ],
};
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
  const [first] = FILTERS[category];
  const filter = FILTERS[category].find(({ value }) => value === params.get('tab')) ?? first;

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
            options={FILTERS[category]}
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
