import { useSearchParams } from 'react-router';
import { sidOf } from '@/features/community/communityPaths';
import { DetailPage } from '@/features/community/detail/DetailPage';

export default function PostRoute() {
  const [params] = useSearchParams();
  return <DetailPage sid={sidOf(params.get('communitySid'))} />;
}
