import { useSearchParams } from 'react-router';
import { trendCopy } from '@/features/trend/copy';
import { MarketTrendPage } from '@/features/trend/MarketTrendPage';
import { trendFrom } from '@/features/trend/trendHref';
import { paths, productHref } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';

/** The market trends. The selection is in the address, so that back and sharing preserve it. */
export default function MarketTrendRoute() {
  const [search, setSearch] = useSearchParams();
  const { kind, market } = trendFrom(search);
  return (
    <>
      <TopBar title={trendCopy.screen} backTo={paths.boot} actions={<PriceStatus />} />
      <main id="main">
        <MarketTrendPage
          kind={kind}
          market={market}
          onKind={(tab) => setSearch(tab === 'stock' ? {} : { tab }, { replace: true })}
          onMarket={(next) => setSearch({ market: next }, { replace: true })}
          productHref={productHref}
        />
      </main>
    </>
  );
}
