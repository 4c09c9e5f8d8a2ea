import { likeCopy } from '@/features/like/copy';
import { SignInToLike } from '@/features/like/LikedItems';
import { type LikedTab, LikedTabs } from '@/features/like/LikedTabs';
import { ProductRow } from '@/features/product/ProductRow';
import { useMemberSid } from '@/shared/api/session';
import { listHref } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';

/** The member's likes by kind; visitors are offered to sign in. */
export function MemberLikes({ tab, onTab }: { tab: LikedTab; onTab: (tab: LikedTab) => void }) {
  const memberSid = useMemberSid();
  if (memberSid === null) return <SignInToLike />;
  return (
    <LikedTabs
      memberSid={memberSid}
      tab={tab}
      onTab={onTab}
      productRowOf={(product, heart) => <ProductRow product={product} control={heart} />}
      browseOf={browseOf}
    />
  );
}

function browseOf(tab: LikedTab) {
  return (
    <ButtonLink to={listHref(tab)} tone="neutral">
      {likeCopy.browse}
    </ButtonLink>
  );
}
