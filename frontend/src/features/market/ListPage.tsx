import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Category } from '@/shared/api/queryKeys';
import type { MarketCode } from '@/shared/api/types';
import { ChevronDownIcon } from '@/shared/ui/icons';
import { InvestTabs } from '@/shared/ui/InvestTabs';
import { PracticeChip, usePriceExplanation } from '@/shared/ui/PracticeChip';
import { RtBadge } from '@/shared/ui/RtBadge';
import { Tabs } from '@/shared/ui/Tabs';
import { TopBar } from '@/shared/ui/TopBar';
import { BrowseList } from './BrowseList';
import { list } from './copy';
import styles from './ListPage.module.css';
import type { Sort } from './marketQueries';
import { PopularList } from './PopularList';

interface Filter {
  value: string;
  label: string;
  /** The market to browse; none for the popular list. */
  marketCode?: MarketCode;
}

const STOCK_FILTERS: readonly Filter[] = [
  { value: 'popular', label: list.popular },
  { value: 'kospi', label: list.kospi, marketCode: 'KOSPI' },
  { value: 'kosdaq', label: list.kosdaq, marketCode: 'KOSDAQ' },
  { value: 'us', label: list.us, marketCode: 'stocks' },
  { value: 'etf', label: list.etf, marketCode: 'ETF' },
];
const COIN_FILTERS: readonly Filter[] = [
  { value: 'popular', label: list.popular },
  { value: 'all', label: list.all, marketCode: 'COIN' },
];
const PANEL_ID = 'item-list';

interface ListPageProps {
  category: Category;
  /** The control that opens the search. */
  search: ReactNode;
}

/** The list of stocks or coins. Filter and order live in the address, so that back and sharing keep them. */
export function ListPage({ category, search }: ListPageProps) {
  const [params, setParams] = useSearchParams();
  const filters = category === 'coin' ? COIN_FILTERS : STOCK_FILTERS;
  const filter = filters.find(({ value }) => value === params.get('tab')) ?? filters[0];
  const sort = sortFrom(params.get('sort'));
  const explanation = usePriceExplanation();

  return (
    <>
      <TopBar
        title={list.title}
        actions={
          <div className={styles.status}>
            <RtBadge />
            <PracticeChip />
          </div>
        }
      />
      <InvestTabs current={category} />
      <main id="main">
        <div className={styles.sticky}>
          <div className={styles.search}>{search}</div>
          <Tabs
            look="chips"
            label={list.filters}
            options={filters}
            value={filter?.value ?? 'popular'}
            panelId={PANEL_ID}
            onChange={(tab) => setParams(tab === 'popular' ? {} : { tab }, { replace: true })}
          />
        </div>
        <div id={PANEL_ID} role="tabpanel" aria-label={filter?.label}>
          {filter?.marketCode === undefined ? (
            <PopularList category={category} />
          ) : (
            <>
              <SortSelect
                value={sort}
                onChange={(next) => setParams({ tab: filter.value, sort: next }, { replace: true })}
              />
              <BrowseList category={category} marketCode={filter.marketCode} sort={sort} />
            </>
          )}
        </div>
        {explanation && <p className={styles.note}>{explanation}</p>}
      </main>
    </>
  );
}

function SortSelect({ value, onChange }: { value: Sort; onChange: (sort: Sort) => void }) {
  return (
    <div className={styles.sort}>
      <select aria-label={list.sort} value={value} onChange={(event) => onChange(sortFrom(event.target.value))}>
        {Object.entries(list.sorts).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDownIcon size={16} />
    </div>
  );
}

function sortFrom(text: string | null): Sort {
  return text !== null && text in list.sorts ? (text as Sort) : 'value';
}
