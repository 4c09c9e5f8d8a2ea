import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { memberQuery } from '@/shared/api/memberQuery';
import { useMemberSid } from '@/shared/api/session';
import { competitionLock } from '@/shared/copy/copy.account';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { MissingState } from '@/shared/ui/MissingState';
import { TopBar } from '@/shared/ui/TopBar';
import { NotFoundRoute } from '../NotFoundRoute';
import PointHistoryRoute from './PointHistoryRoute';
import PointTransferRoute from './PointTransferRoute';
import TransferHistoryRoute from './TransferHistoryRoute';
import TransferRoute from './TransferRoute';

const ContractsRoute = lazy(() => import(/* webpackChunkName: "route-contracts" */ './ContractsRoute'));
const ContractRoute = lazy(() => import(/* webpackChunkName: "route-contracts" */ './ContractRoute'));
const JoinProductRoute = lazy(() => import(/* webpackChunkName: "route-contracts" */ './JoinProductRoute'));
const ItemShopRoute = lazy(() => import(/* webpackChunkName: "route-items" */ './ItemShopRoute'));
const ItemRoute = lazy(() => import(/* webpackChunkName: "route-items" */ './ItemRoute'));
const PurchasesRoute = lazy(() => import(/* webpackChunkName: "route-items" */ './PurchasesRoute'));
const SeasonRoute = lazy(() => import(/* webpackChunkName: "route-season" */ './SeasonRoute'));
const ProfitLossRoute = lazy(() => import(/* webpackChunkName: "route-profit" */ './ProfitLossRoute'));
const AlertsRoute = lazy(() => import(/* webpackChunkName: "price-alert" */ './AlertsRoute'));
const ProfitSalesRoute = lazy(() => import(/* webpackChunkName: "route-profit" */ './ProfitSalesRoute'));

const SCREENS: readonly (readonly [path: string, Screen: ComponentType<{ memberSid: number }>])[] = [
  [moneyPaths.transfer, TransferRoute],
  [moneyPaths.transferHistory, TransferHistoryRoute],
  [moneyPaths.pointTransfer, PointTransferRoute],
  [moneyPaths.pointHistory, PointHistoryRoute],
  [moneyPaths.contracts, ContractsRoute],
  [moneyPaths.contract, ContractRoute],
  [moneyPaths.joinProduct, JoinProductRoute],
  [moneyPaths.items, ItemShopRoute],
  [moneyPaths.item, ItemRoute],
  [moneyPaths.purchases, PurchasesRoute],
  [moneyPaths.seasons, SeasonRoute],
];

/** Open in a competition too, where the profit is that of its account. */
const ALWAYS_OPEN: typeof SCREENS = [
  [moneyPaths.profitLoss, ProfitLossRoute],
  [moneyPaths.profitSales, ProfitSalesRoute],
  [moneyPaths.alerts, AlertsRoute],
];

/** The screens below /my about money: one entry of the router, so that the first load does not carry them. */
export default function MoneyRoutes() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <Routes>
      {SCREENS.map(([path, Screen]) => (
        <Route
          key={path}
          path={path.slice(paths.my.length)}
          element={
            <Unlocked memberSid={memberSid}>
              <Screen memberSid={memberSid} />
            </Unlocked>
          }
        />
      ))}
      {ALWAYS_OPEN.map(([path, Screen]) => (
        <Route key={path} path={path.slice(paths.my.length)} element={<Screen memberSid={memberSid} />} />
      ))}
      <Route path="*" element={<NotFoundRoute />} />
    </Routes>
  );
}

/** In a competition money does not move. */
function Unlocked({ memberSid, children }: { memberSid: number; children: ReactNode }) {
  const { data } = useQuery(memberQuery(memberSid));
  if (data?.competitionMode !== true) return children;
  return (
    <>
      <TopBar title={competitionLock.screen} backTo={paths.my} />
      <main id="main">
        <MissingState title={competitionLock.title} body={competitionLock.body} to={paths.my} label={competitionLock.turnOff} />
      </main>
    </>
  );
}
