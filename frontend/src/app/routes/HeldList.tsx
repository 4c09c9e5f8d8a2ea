import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { holdingsQuery } from '@/features/account/accountQueries';
import { holdingsCopy } from '@/features/account/copy';
import { HoldingList } from '@/features/account/HoldingList';
import { useLiveHoldings } from '@/features/account/useLiveHoldings';
import type { Category } from '@/shared/api/assets';
import { useMemberSid } from '@/shared/api/session';
import type { Holding } from '@/shared/api/types';
import { signInPrompt } from '@/shared/copy/copy.signIn';
import { itemHref, loginHref } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';

/** The member's holdings of one category; visitors are offered to sign in. */
export default function HeldList({ category, browse }: { category: Category; browse?: ReactNode }) {
  const memberSid = useMemberSid();
  const { pathname, search } = useLocation();
  if (memberSid !== null) return <OwnItems memberSid={memberSid} category={category} browse={browse} />;
  return (
    <EmptyState
      title={signInPrompt.title}
      body={signInPrompt.body}
      action={
        <ButtonLink to={loginHref(pathname + search)} tone="neutral">
          {signInPrompt.action}
        </ButtonLink>
      }
    />
  );
}

function OwnItems({ memberSid, category, browse }: { memberSid: number; category: Category; browse: ReactNode }) {
  const { data, error, refetch } = useQuery(holdingsQuery(memberSid, category));
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={SKELETON_ROWS} />;
  }
  if (data.length === 0) return <EmptyState title={holdingsCopy.empty} action={browse} />;
  return <LiveList memberSid={memberSid} holdings={data} />;
}

function LiveList({ memberSid, holdings }: { memberSid: number; holdings: readonly Holding[] }) {
  const { rows } = useLiveHoldings(holdings);
  return <HoldingList memberSid={memberSid} rows={rows} hrefOf={itemHref} />;
}

const SKELETON_ROWS = 5;
