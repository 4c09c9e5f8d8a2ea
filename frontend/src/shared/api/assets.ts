import type { paths } from './schema';

interface AssetKind {
  /** The folder of its API routes and price channels. */
  route: string;
  /** In orders and likes; also the market code of a kind with a single market. */
  type: string;
  /** The type code of the sub-accounts that may hold it. */
  account: string;
}

/** What the kinds of assets differ in; a new kind is a row. Its words, units and colours are in copy and style files. */
export const ASSETS = {
  stock: { route: 'stock', type: 'STOCK', account: '01' },
  coin: { route: 'coin', type: 'COIN', account: '02' },
  gold: { route: 'commodity', type: 'GOLD', account: '06' },
} as const satisfies Record<string, AssetKind>;

/** A kind of asset, as in the addresses of the app; stocks include ETFs. */
export type Category = keyof typeof ASSETS;
export const CATEGORIES = Object.keys(ASSETS) as readonly Category[];

/** The kinds that members choose from: ETFs apart from other stocks. */
export type InstrumentKind = Category | 'etf';
export const INSTRUMENT_KINDS: readonly InstrumentKind[] = CATEGORIES.flatMap<InstrumentKind>((kind) => (kind === 'stock' ? [kind, 'etf'] : kind));

export function categoryOfKind(kind: InstrumentKind): Category {
  return kind === 'etf' ? 'stock' : kind;
}

export type AssetRoute = (typeof ASSETS)[Category]['route'];

/** The kind of a market; unknown ones count as stocks. */
export function categoryOf(marketCode: string | null | undefined): Category {
  return CATEGORIES.find((category) => ASSETS[category].type === marketCode) ?? 'stock';
}

/** The route of a kind that corresponds to one of stocks. It is called with the parameters of the latter. */
export function routeOf<Route extends CommonRoute>(category: Category, stockRoute: Route): Route {
  return stockRoute.replaceAll('stock', ASSETS[category].route) as Route;
}

/** The routes of stocks that all kinds have. */
type CommonRoute = { [Route in keyof paths]: IsMissing<Route> extends false ? Route : never }[keyof paths & `${string}/stock/${string}`];

// True where a kind lacks the route, so that the union over all kinds is false only where none does.
type IsMissing<Route extends string> = { [Own in AssetRoute]: Unnamed<Renamed<Route, Own>> extends Unnamed<keyof paths> ? false : true }[AssetRoute];

type Renamed<Route extends string, Own extends string> = Route extends `${infer Start}stock${infer End}` ? `${Start}${Own}${Renamed<End, Own>}` : Route;

/** The API calls the member `sid` in some routes and `id` in others. */
type Unnamed<Route extends string> = Route extends `${infer Start}{sid}${infer End}` ? `${Start}{id}${End}` : Route;
