import { lazy, type ReactNode } from 'react';
import { Navigate } from 'react-router';
import { paths } from '@/shared/paths';
import { InvestRoute } from './routes/InvestRoute';

interface AppRoute {
  path: string;
  element: ReactNode;
  showsTabBar?: boolean;
  /** A visitor is led to the login. */
  requiresMember?: boolean;
}

const BootRoute = lazy(() => import(/* webpackChunkName: "route-boot" */ './routes/BootRoute'));
// Small and rarely opened, it shares the chunk of the entry screen instead of adding a file.
const NotFoundRoute = lazy(() => import(/* webpackChunkName: "route-boot" */ './routes/NotFoundRoute').then(({ NotFoundRoute: Loaded }) => ({ default: Loaded })));
const HomeRoute = lazy(() => import(/* webpackChunkName: "route-home" */ './routes/HomeRoute'));
const MarketTrendRoute = lazy(() => import(/* webpackChunkName: "route-trend" */ './routes/MarketTrendRoute'));
const StockListRoute = lazy(() => import(/* webpackChunkName: "route-stock-list" */ './routes/StockListRoute'));
const CoinListRoute = lazy(() => import(/* webpackChunkName: "route-coin-list" */ './routes/CoinListRoute'));
const GoldListRoute = lazy(() => import(/* webpackChunkName: "route-gold-list" */ './routes/GoldListRoute'));
const ProductListRoute = lazy(() => import(/* webpackChunkName: "route-product-list" */ './routes/ProductListRoute'));
const StockDetailRoute = lazy(() => import(/* webpackChunkName: "route-detail" */ './routes/StockDetailRoute'));
const CoinDetailRoute = lazy(() => import(/* webpackChunkName: "route-detail" */ './routes/CoinDetailRoute'));
const GoldDetailRoute = lazy(() => import(/* webpackChunkName: "route-detail" */ './routes/GoldDetailRoute'));
const ProductDetailRoute = lazy(() => import(/* webpackChunkName: "route-product" */ './routes/ProductDetailRoute'));
const OrderRoute = lazy(() => import(/* webpackChunkName: "route-order" */ './routes/OrderRoute'));
const WaitingOrdersRoute = lazy(() => import(/* webpackChunkName: "route-waiting" */ './routes/WaitingOrdersRoute'));
const OrderHistoryRoute = lazy(() => import(/* webpackChunkName: "route-history" */ './routes/OrderHistoryRoute'));
const HoldingsRoute = lazy(() => import(/* webpackChunkName: "route-holdings" */ './routes/HoldingsRoute'));
const DividendsRoute = lazy(() => import(/* webpackChunkName: "route-dividends" */ './routes/DividendsRoute'));
const AccountRoute = lazy(() => import(/* webpackChunkName: "route-holdings" */ './routes/AccountRoute'));
const MoneyRoutes = lazy(() => import(/* webpackChunkName: "route-money" */ './routes/money/MoneyRoutes'));
const CompetitionRoutes = lazy(() => import(/* webpackChunkName: "route-competition" */ './routes/competition/CompetitionRoutes'));
const LikesRoute = lazy(() => import(/* webpackChunkName: "route-likes" */ './routes/LikesRoute'));
const MyRoute = lazy(() => import(/* webpackChunkName: "route-my" */ './routes/MyRoute'));
const LearnRoute = lazy(() => import(/* webpackChunkName: "route-learn" */ './routes/LearnRoute'));
const StudyRoute = lazy(() => import(/* webpackChunkName: "route-study" */ './routes/StudyRoute'));
const CommunityRoute = lazy(() => import(/* webpackChunkName: "route-community" */ './routes/community/CommunityRoute'));
const PostRoute = lazy(() => import(/* webpackChunkName: "route-post" */ './routes/community/PostRoute'));
const CommunityPeopleRoute = lazy(() => import(/* webpackChunkName: "route-community-people" */ './routes/community/CommunityPeopleRoute'));
const CommunityWriteRoute = lazy(() => import(/* webpackChunkName: "route-community-write" */ './routes/community/CommunityWriteRoute'));
const LoginRoute = lazy(() => import(/* webpackChunkName: "route-session" */ './routes/LoginRoute'));
const JoinRoute = lazy(() => import(/* webpackChunkName: "route-session" */ './routes/JoinRoute'));
const PasswordResetRoute = lazy(() => import(/* webpackChunkName: "route-password" */ './routes/PasswordResetRoute'));
const PasswordNewRoute = lazy(() => import(/* webpackChunkName: "route-password" */ './routes/PasswordNewRoute'));
const SettingsRoute = lazy(() => import(/* webpackChunkName: "route-settings" */ './routes/SettingsRoute'));
const SettingsProfileRoute = lazy(() => import(/* webpackChunkName: "route-settings" */ './routes/SettingsProfileRoute'));
const SettingsPasswordRoute = lazy(() => import(/* webpackChunkName: "route-settings" */ './routes/SettingsPasswordRoute'));
const SettingsEmailRoute = lazy(() => import(/* webpackChunkName: "route-settings" */ './routes/SettingsEmailRoute'));
const NotificationsRoute = lazy(() => import(/* webpackChunkName: "route-notifications" */ './routes/NotificationsRoute'));
const SettingsNotificationsRoute = lazy(() => import(/* webpackChunkName: "route-notifications" */ './routes/SettingsNotificationsRoute'));
const TermsRoute = lazy(() => import(/* webpackChunkName: "route-legal" */ './routes/TermsRoute'));
const PrivacyRoute = lazy(() => import(/* webpackChunkName: "route-legal" */ './routes/PrivacyRoute'));

/**
 * All screens; a file at a pattern with `*` divides it further. A new one is a file in `routes/`, its address in `shared/paths.ts` or
 * the paths of its feature, and here its import with the name of its chunk and its line: before a pattern that covers it, because the
 * shell takes the first that matches. Besides, where it applies:
 * - `CHUNKS_OF_PATHS` in `webpack.config.js`, when the app is opened at it: its chunk then loads together with the entry.
 * - `LATER` there, when it lies behind other screens: its chunk then never makes theirs load more files.
 * - `TABS` in `AppTabs.tsx`, when it shows the tab bar and no tab has its prefix, and `TAB_ROUTES` in `scripts/check-size.ts`.
 * - `FOCUS_SCREENS` in `shared/paths.ts`, when no offer may interrupt it.
 */
export const routes: readonly AppRoute[] = [
  { path: paths.boot, element: <BootRoute /> },
  { path: paths.home, element: <HomeRoute />, requiresMember: true, showsTabBar: true },
  { path: paths.marketTrend, element: <MarketTrendRoute />, showsTabBar: true },
  { path: paths.invest, element: <InvestRoute />, showsTabBar: true },
  { path: paths.stockList, element: <StockListRoute />, showsTabBar: true },
  { path: paths.coinList, element: <CoinListRoute />, showsTabBar: true },
  { path: paths.goldList, element: <GoldListRoute />, showsTabBar: true },
  { path: paths.productList, element: <ProductListRoute />, showsTabBar: true },
  { path: '/invest/products', element: <Navigate to={paths.productList} replace /> },
  { path: '/invest-v2/products', element: <Navigate to={paths.productList} replace /> },
  { path: paths.stockDetail, element: <StockDetailRoute /> },
  { path: paths.etfDetail, element: <StockDetailRoute /> },
  { path: paths.coinDetail, element: <CoinDetailRoute /> },
  { path: paths.goldDetail, element: <GoldDetailRoute /> },
  { path: paths.productDetail, element: <ProductDetailRoute /> },
  { path: paths.order, element: <OrderRoute />, requiresMember: true },
  { path: paths.waitingOrders, element: <WaitingOrdersRoute />, requiresMember: true },
  { path: paths.orderHistory, element: <OrderHistoryRoute />, requiresMember: true },
  { path: paths.holdings, element: <HoldingsRoute />, requiresMember: true },
  { path: paths.dividends, element: <DividendsRoute />, requiresMember: true },
  { path: paths.account, element: <AccountRoute />, requiresMember: true },
  { path: paths.likes, element: <LikesRoute />, requiresMember: true },
  { path: paths.my, element: <MyRoute />, requiresMember: true, showsTabBar: true },
  { path: paths.learn, element: <LearnRoute screen="home" />, requiresMember: true, showsTabBar: true },
  { path: `${paths.learn}/articles`, element: <LearnRoute screen="articles" />, showsTabBar: true },
  { path: `${paths.learn}/readable/*`, element: <StudyRoute /> },
  { path: `${paths.learn}/glossary/*`, element: <StudyRoute /> },
  { path: `${paths.learn}/*`, element: <StudyRoute />, requiresMember: true },
  { path: paths.community, element: <CommunityRoute />, showsTabBar: true },
  { path: `${paths.community}/detail`, element: <PostRoute /> },
  { path: `${paths.community}/new`, element: <CommunityWriteRoute />, requiresMember: true },
  { path: `${paths.community}/user-profile/:userSid`, element: <CommunityPeopleRoute screen="profile" />, requiresMember: true },
  { path: '/my/posts', element: <CommunityPeopleRoute screen="mine" />, requiresMember: true },
  { path: '/my/*', element: <MoneyRoutes />, requiresMember: true },
  { path: '/competition/*', element: <CompetitionRoutes />, requiresMember: true },
  { path: paths.login, element: <LoginRoute /> },
  { path: paths.join, element: <JoinRoute /> },
  { path: paths.passwordReset, element: <PasswordResetRoute /> },
  { path: paths.passwordNew, element: <PasswordNewRoute /> },
  { path: paths.notifications, element: <NotificationsRoute />, requiresMember: true },
  { path: paths.settings, element: <SettingsRoute />, requiresMember: true },
  { path: paths.settingsProfile, element: <SettingsProfileRoute />, requiresMember: true },
  { path: paths.settingsPassword, element: <SettingsPasswordRoute />, requiresMember: true },
  { path: paths.settingsEmail, element: <SettingsEmailRoute />, requiresMember: true },
  { path: paths.settingsNotifications, element: <SettingsNotificationsRoute />, requiresMember: true },
  { path: paths.terms, element: <TermsRoute /> },
  { path: paths.privacy, element: <PrivacyRoute /> },
  { path: '*', element: <NotFoundRoute /> },
];
