import { type Category, categoryOf, type InstrumentKind } from './api/assets';

/** The addresses of the app: the pattern for the router and, where it has parameters, the link. */
export const paths = {
  /** The entry: leads members home and shows visitors what the product is. */
  boot: '/',
  home: '/home',
  marketTrend: '/market-trend',
  invest: '/invest-v2',
  stockList: '/invest-v2/stock',
  coinList: '/invest-v2/coin',
  goldList: '/invest-v2/gold',
  productList: '/invest-v2/product',
  stockDetail: '/invest-v2/stock/:code',
  etfDetail: '/invest-v2/stock-etf/:code',
  coinDetail: '/invest-v2/coin/:code',
  goldDetail: '/invest-v2/gold/:code',
  productDetail: '/invest-v2/product/:sid',
  login: '/login',
  join: '/join',
  passwordReset: '/password/reset',
  /** The target of a mailed link; carries `?token=`. */
  passwordNew: '/password/new',
  order: '/order/:category/:code',
  my: '/my',
  account: '/my/account',
  likes: '/my/likes',
  orderHistory: '/my/orders/history',
  holdings: '/my/holdings',
  dividends: '/my/dividends',
  waitingOrders: '/my/orders/wait',
  notifications: '/notifications',
  settings: '/settings',
  settingsProfile: '/settings/profile',
  settingsPassword: '/settings/password',
  settingsEmail: '/settings/email',
  settingsNotifications: '/settings/notifications',
  learn: '/study-v2',
  community: '/community',
  terms: '/terms',
  privacy: '/privacy',
} as const;

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

/** The login screen, returning to `from`. */
export function loginHref(from: string): string {
  return `${paths.login}?next=${encodeURIComponent(from)}`;
}

export function orderHref(category: Category, code: string, side: Side): string {
  return `/order/${category}/${encodeURIComponent(code)}?side=${side}`;
}

/** The order screen for modifying a waiting order. */
export function modifyHref(category: Category, code: string, side: Side, orderSid: number): string {
  return `${orderHref(category, code, side)}&modify=${orderSid}`;
}

/** The list of a kind. */
export function listHref(kind: InstrumentKind | 'product'): string {
  return kind === 'etf' ? `${paths.stockList}?tab=etf` : `${paths.invest}/${kind}`;
}

/** The join screens, keeping the address to return to. */
export function joinHref(next: string | null): string {
  return next === null ? paths.join : `${paths.join}?next=${encodeURIComponent(next)}`;
}

export function itemHref({ isuSrtCd, marketCode }: { isuSrtCd: string; marketCode: string }): string {
  const folder = marketCode === 'ETF' ? 'stock-etf' : categoryOf(marketCode);
  const href = `${paths.invest}/${folder}/${encodeURIComponent(isuSrtCd)}`;
  return folder === 'coin' ? `${href}?refMarketCode=coin` : href;
}

export function productHref(sid: number): string {
  return `/invest-v2/product/${sid}`;
}

const FOCUS_SCREENS = ['/order/', '/my/orders/wait', '/study-v2/quiz', '/community/new', '/login', '/join', '/password/', '/terms', '/privacy'] as const;

/** Screens that no offer may interrupt: orders, quizzes, editors, and signing in. */
export function isFocusScreen(pathname: string): boolean {
  return pathname === paths.boot || FOCUS_SCREENS.some((start) => pathname.startsWith(start));
}
