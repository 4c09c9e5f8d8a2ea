import { useParams } from 'react-router';
import { bellOf } from '@/features/alert/AlertBell';
import { heartOf } from '@/features/like/Hearts';
import { DetailPage } from '@/features/market/DetailPage';
import { LatestPosts } from './LatestPosts';

export default function CoinDetailRoute() {
  const { code = '' } = useParams();
  return <DetailPage key={code} category="coin" code={code} heartOf={heartOf} bellOf={bellOf} communityOf={(name) => <LatestPosts code={code} name={name} />} />;
}
