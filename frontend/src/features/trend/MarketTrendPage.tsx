import { market as marketCopy } from '@/shared/copy/copy.shared';
import { INVEST_TABS, type InvestTab } from '@/shared/platform/lastInvestPath';
import { Tabs } from '@/shared/ui/Tabs';
import { trendCopy } from './copy';
import { GoldTrendPanel } from './GoldTrendPanel';
import { MarketPanel } from './MarketPanel';
import { ProductTrendPanel } from './ProductTrendPanel';
import styles from './Trend.module.css';
import { STOCK_MARKETS, type StockMarket } from './trendTypes';

const KINDS = INVEST_TABS.map((value) => ({ value, label: marketCopy.investTab[value] }));
const MARKETS = STOCK_MARKETS.map((value) => ({ value, label: trendCopy.markets[value] }));
const KIND_PANEL = 'trend-kind';
const MARKET_PANEL = 'trend-market';

interface MarketTrendPageProps {
  kind: InvestTab;
  market: StockMarket;
  onKind: (kind: InvestTab) => void;
  onMarket: (market: StockMarket) => void;
  productHref: (sid: number) => string;
}

/** Market trends: indexes, rankings and sectors, gold, interest rates. */
export function MarketTrendPage({ kind, market, onKind, onMarket, productHref }: MarketTrendPageProps) {
  return (
    <>
      <div className={styles.kinds}>
        <Tabs label={trendCopy.kindLabel} options={KINDS} value={kind} onChange={onKind} panelId={KIND_PANEL} />
      </div>
      <div id={KIND_PANEL} role="tabpanel" aria-label={marketCopy.investTab[kind]}>
        {kind === 'stock' && (
          <>
            <Tabs
              look="chips"
              label={trendCopy.marketLabel}
              options={MARKETS}
              value={market}
              onChange={onMarket}
              panelId={MARKET_PANEL}
            />
            <div id={MARKET_PANEL} role="tabpanel" aria-label={trendCopy.markets[market]}>
              <MarketPanel key={market} type={market} />
            </div>
          </>
        )}
        {kind === 'coin' && <MarketPanel type="COIN" />}
        {kind === 'gold' && <GoldTrendPanel />}
        {kind === 'product' && <ProductTrendPanel hrefOf={productHref} />}
      </div>
    </>
  );
}
