import { CompetitionSwitch } from '../CompetitionSwitch';
import { modeCopy } from '../copy.mode';
import { accountsCopy } from '@/features/account/copy.accounts';
import { AssetHero } from '@/features/account/AssetHero';
import { likeCopy } from '@/features/like/copy';
import { myCopy, settingsCopy } from '@/features/member/copy';
import { Group, LinkRow } from '@/features/member/LinkGroup';
import { Profile } from '@/features/member/Profile';
import { PointBalance } from '@/features/point/PointBalance';
import { useMemberSid } from '@/shared/api/session';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';

/** The my page: profile, assets and settings of this device. */
export default function MyRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={myCopy.screen} actions={<PriceStatus />} />
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
        </Group>
        <Group title={myCopy.points}>
          <LinkRow to={moneyPaths.pointTransfer} value={<PointBalance memberSid={memberSid} />}>
            {myCopy.pointTransfer}
          </LinkRow>
          <LinkRow to={moneyPaths.items}>{myCopy.items}</LinkRow>
        </Group>
        <Group title={modeCopy.events}>
          <CompetitionSwitch memberSid={memberSid} />
          <LinkRow to={paths.competition}>{modeCopy.events}</LinkRow>
        </Group>
        <Group title={myCopy.settings}>
          <LinkRow to={paths.settings}>{settingsCopy.screen}</LinkRow>
        </Group>
      </main>
    </>
  );
}
