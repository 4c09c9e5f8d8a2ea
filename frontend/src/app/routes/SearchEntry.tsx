import { lazy } from 'react';
import type { SearchKind } from '@/features/search/searchKinds';
import { SearchPill } from '@/features/search/SearchPill';

const SearchScreen = lazy(() => import(/* webpackChunkName: "search" */ './SearchScreen'));

export function SearchEntry({ kind }: { kind: SearchKind }) {
  return <SearchPill kind={kind} overlay={SearchScreen} />;
}
