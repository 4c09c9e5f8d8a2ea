import { lazy, Suspense } from 'react';
import { modeCopy } from '../copy.mode';
import { LazyBell } from '../LazyBell';
import { accountsCopy } from '@/features/account/copy.accounts';
import { communityPaths } from '@/features/community/communityPaths';
import { competitionPaths } from '@/features/competition/competitionPaths';
import { AssetHero } from '@/features/account/AssetHero';
import { likeCopy } from '@/features/like/copy';
import { myCopy, settingsCopy } from '@/features/member/copy';
import { Group, LinkRow } from '@/features/member/LinkGroup';
import { Profile } from '@/features/member/Profile';
import { PointBalance } from '@/features/point/PointBalance';
import { useMemberSid } from '@/shared/api/session';
import { nav } from '@/shared/copy/copy.shared';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { Bone } from '@/shared/ui/Skeleton';
import { TopBar } from '@/shared/ui/TopBar';

const CompetitionSwitch = lazy(() => import(/* webpackChunkName: "route-competition" */ '../CompetitionSwitch').then(({ CompetitionSwitch }) => ({ default: CompetitionSwitch })));

/** The my page: profile, assets and settings of this device. */
export default function MyRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar
        title={myCopy.screen}
        actions={
          <>
            <PriceStatus />
            <LazyBell />
          </>
        }
      />
      <main id="main">
        <Profile memberSid={memberSid} />
        <AssetHero memberSid={memberSid} />
        <Group title={myCopy.money}>
          <LinkRow to={paths.account}>{accountsCopy.screen}</LinkRow>
          <LinkRow to={paths.holdings}>{myCopy.holdings}</LinkRow>
          <LinkRow to={moneyPaths.contracts}>{myCopy.contracts}</LinkRow>
          <LinkRow to={moneyPaths.profitLoss}>{myCopy.profitLoss}</LinkRow>
          <LinkRow to={paths.orderHistory}>{myCopy.history}</LinkRow>
          <LinkRow to={paths.waitingOrders}>{myCopy.waiting}</LinkRow>
          <LinkRow to={paths.likes}>{likeCopy.screen}</LinkRow>
          <LinkRow to={moneyPaths.alerts}>{myCopy.alerts}</LinkRow>
        </Group>
        <Group title={myCopy.points}>
          <LinkRow to={moneyPaths.pointTransfer} value={<PointBalance memberSid={memberSid} />}>
            {myCopy.pointTransfer}
          </LinkRow>
          <LinkRow to={moneyPaths.items}>{myCopy.items}</LinkRow>
        </Group>
        <Group title={modeCopy.events}>
          <Suspense fallback={<Bone width="100%" height={56} />}>
            <CompetitionSwitch memberSid={memberSid} />
          </Suspense>
          <LinkRow to={competitionPaths.home}>{modeCopy.events}</LinkRow>
        </Group>
        <Group title={nav.community}>
          <LinkRow to={communityPaths.mine}>{myCopy.posts}</LinkRow>
        </Group>
        <Group title={myCopy.settings}>
          <LinkRow to={paths.settings}>{settingsCopy.screen}</LinkRow>
        </Group>
      </main>
    </>
  );
}
