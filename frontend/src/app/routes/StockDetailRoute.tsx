import { useParams } from 'react-router';
import { heartOf } from '@/features/like/Hearts';
import { DetailPage } from '@/features/market/DetailPage';

/** Stocks and ETFs share their detail screen; the market of the code decides what it shows. */
export default function StockDetailRoute() {
  const { code = '' } = useParams();
  return <DetailPage key={code} category="stock" code={code} heartOf={heartOf} />;
}
