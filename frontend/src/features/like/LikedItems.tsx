import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import type { Item, Product } from '@/shared/api/types';
import { sorting } from '@/shared/copy/copy.shared';
import { signInPrompt } from '@/shared/copy/copy.signIn';
import { given } from '@/shared/copy/copy.given';
import { ITEM_SORTS, sortItems } from '@/shared/format/sortItems';
import { itemHref, loginHref } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { HeartButton } from '@/shared/ui/HeartButton';
import { ItemRow } from '@/shared/ui/ItemRow';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { SortSelect, useSortParam } from '@/shared/ui/SortSelect';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { VirtualList } from '@/shared/ui/VirtualList';
import { likeCopy } from './copy';
import type { LikedKind } from './likeApi';
import { likedProductsQuery, likedQuery } from './likeQueries';
import { itemTarget, type LikeTarget, productTarget, targetKey } from './likeTarget';
import { usePendingLikes, useSetLike } from './useLike';

const ROW_HEIGHT_PX = 72;
const SKELETON_ROWS = 6;

/** The liked instruments of a kind; visitors are offered to sign in. */
export function LikedItems({ kind, browse }: { kind: LikedKind; browse?: ReactNode }) {
  const memberSid = useMemberSid();
  return memberSid === null ? <SignInToLike /> : <OwnItems memberSid={memberSid} kind={kind} browse={browse} />;
}

export function LikedProducts({ memberSid, rowOf, browse }: { memberSid: number; rowOf: ProductRowOf; browse?: ReactNode }) {
  const query = useQuery(likedProductsQuery(memberSid));
  return (
    <LikedRows query={query} targetOf={productTarget} browse={browse}>
      {(product: Product, heart) => rowOf(product, heart)}
    </LikedRows>
  );
}

/** Renders a product with its heart. */
export type ProductRowOf = (product: Product, heart: ReactNode) => ReactNode;

function OwnItems({ memberSid, kind, browse }: { memberSid: number; kind: LikedKind; browse: ReactNode }) {
  const { data, error, refetch } = useQuery(likedQuery(kind, memberSid));
  const [sort, setSort] = useSortParam(ITEM_SORTS);
  const sorted = useMemo(() => data && sortItems(data, sort), [data, sort]);
  return (
    <>
      {sorted && sorted.length > 1 && <SortSelect values={ITEM_SORTS} names={sorting.items} value={sort} onChange={setSort} />}
      <LikedRows query={{ data: sorted, error, refetch }} targetOf={itemTarget} browse={browse}>
        {(item: Item, heart) => <ItemRow item={item} to={itemHref(item)} control={heart} />}
      </LikedRows>
    </>
  );
}

interface LikedRowsProps<Row> {
  query: { data: Row[] | undefined; error: unknown; refetch: () => unknown };
  targetOf: (row: Row) => LikeTarget;
  browse: ReactNode;
  children: (row: Row, heart: ReactNode) => ReactNode;
}

function LikedRows<Row>({ query: { data, error, refetch }, targetOf, browse, children }: LikedRowsProps<Row>) {
  const pendingLike = usePendingLikes();
  const setLike = useSetLike();
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={SKELETON_ROWS} />;
  }
  const rows = data.filter((row) => pendingLike(targetOf(row)) !== false);
  if (rows.length === 0) return <EmptyState title={likeCopy.empty} body={likeCopy.howTo} action={browse} />;

  const remove = (target: LikeTarget) => {
    setLike(target, false);
    showSnackbar(likeCopy.removed, { action: { label: given.undo, onClick: () => setLike(target, true) } });
  };
  return (
    <VirtualList rows={rows} keyOf={(row) => targetKey(targetOf(row))} rowHeightPx={ROW_HEIGHT_PX}>
      {(row) => {
        const target = targetOf(row);
        return children(row, <HeartButton name={target.name} isLiked onToggle={() => remove(target)} />);
      }}
    </VirtualList>
  );
}

/** Asks a visitor to sign in. */
export function SignInToLike() {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      title={likeCopy.signIn}
      action={
        <ButtonLink to={loginHref(pathname + search)} tone="neutral">
          {signInPrompt.action}
        </ButtonLink>
      }
    />
  );
}
