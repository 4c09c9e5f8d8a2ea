import { useParams } from 'react-router';
import { bellOf } from '@/features/alert/AlertBell';
import { heartOf } from '@/features/like/Hearts';
import { DetailPage } from '@/features/market/DetailPage';
import { LatestPosts } from './LatestPosts';

/** Stocks and ETFs share a detail screen; the market code decides what it shows. */
export default function StockDetailRoute() {
  const { code = '' } = useParams();
  return <DetailPage key={code} category="stock" code={code} heartOf={heartOf} bellOf={bellOf} communityOf={(name) => <LatestPosts code={code} name={name} />} />;
}
