import { useQuery } from '@tanstack/react-query';
import { isContract } from '@/features/account/accountKinds';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { Accounts } from '@/features/account/Accounts';
import { AssetShares } from '@/features/account/AssetShares';
import { accountsCopy } from '@/features/account/copy.accounts';
import { dividendCopy } from '@/features/account/copy.dividend';
import { useHoldings } from '@/features/account/useHoldings';
import { useLiveHoldings } from '@/features/account/useLiveHoldings';
import { myCopy } from '@/features/member/copy';
import { Group, LinkRow } from '@/features/member/LinkGroup';
import { contractCopy } from '@/features/contract/copy';
import { historyCopy } from '@/features/order/copy';
import { pointCopy } from '@/features/point/copy';
import { seasonCopy } from '@/features/season/copy';
import { transferCopy, transferHistoryCopy } from '@/features/transfer/copy';
import { useMemberSid } from '@/shared/api/session';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';

/** The member's accounts, their allocation, and links to what changed them. */
export default function AccountRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={accountsCopy.screen} backTo={paths.my} actions={<PriceStatus />} />
      <main id="main">
        <Accounts memberSid={memberSid} />
        <Shares memberSid={memberSid} />
        <Group title={transferCopy.group}>
          <LinkRow to={moneyPaths.transfer}>{transferCopy.screen}</LinkRow>
          <LinkRow to={moneyPaths.pointTransfer}>{pointCopy.screen}</LinkRow>
          <LinkRow to={moneyPaths.transferHistory}>{transferHistoryCopy.screen}</LinkRow>
          <LinkRow to={moneyPaths.seasons}>{seasonCopy.screen}</LinkRow>
        </Group>
        <Group title={myCopy.money}>
          <LinkRow to={moneyPaths.contracts}>{contractCopy.screen}</LinkRow>
          <LinkRow to={paths.holdings}>{myCopy.holdings}</LinkRow>
          <LinkRow to={moneyPaths.profitLoss}>{myCopy.profitLoss}</LinkRow>
          <LinkRow to={paths.orderHistory}>{historyCopy.screen}</LinkRow>
          <LinkRow to={paths.waitingOrders}>{myCopy.waiting}</LinkRow>
          <LinkRow to={paths.dividends}>{dividendCopy.screen}</LinkRow>
        </Group>
      </main>
    </>
  );
}

function Shares({ memberSid }: { memberSid: number }) {
  const { data: assets } = useQuery(assetsQuery(memberSid));
  const { holdings, hasAll } = useHoldings(memberSid);
  const { rows } = useLiveHoldings(holdings);
  if (!assets || !hasAll) return null;
  const contracts = assets.accounts.filter(isContract);
  if (rows.length === 0 && contracts.length === 0) return null;
  const cash = assets.accounts.filter((account) => !isContract(account));
  return (
    <AssetShares
      rows={rows}
      savedWon={contracts.reduce((sum, { total }) => sum + total, 0)}
      cashWon={cash.reduce((sum, { deposit }) => sum + deposit, 0)}
    />
  );
}
