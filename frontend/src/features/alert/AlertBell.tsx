import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { requireMember } from '@/shared/ui/signInPrompt';
import { TopBarButton } from '@/shared/ui/TopBar';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import { BellIcon } from './BellIcon';
import { alertCopy } from './copy';

const AlertSheet = lazy(() => import(/* webpackChunkName: "price-alert" */ './AlertSheet').then(({ AlertSheet }) => ({ default: AlertSheet })));

/** As a function, for the bar of a detail screen. */
export function bellOf(item: Item) {
  return <AlertBell item={item} />;
}

/** Opens the sheet in which a member asks to be told of a price; visitors are offered to sign in. */
function AlertBell({ item }: { item: Item }) {
  const memberSid = useMemberSid();
  const { pathname, search } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  return (
    <>
      <TopBarButton label={alertCopy.bell(item.isuKorNm)} onClick={() => requireMember(pathname + search) && setOpen(true)}>
        <BellIcon />
      </TopBarButton>
      {wasOpened && memberSid !== null && (
        <Suspense fallback={null}>
          <AlertSheet memberSid={memberSid} item={item} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
