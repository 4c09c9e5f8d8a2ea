/** The addresses of the screens below /my: what moves money, says what it gained, or waits for a price. Apart from the other paths, because the first load does not need them. */
export const moneyPaths = {
  transfer: '/my/transfer',
  transferHistory: '/my/transfer/history',
  pointTransfer: '/my/point-transfer',
  pointHistory: '/my/point-transfer/history',
  contracts: '/my/contracts',
  contract: '/my/contracts/:acno',
  joinProduct: '/my/contracts/join/:sid',
  items: '/my/items',
  purchases: '/my/items/purchases',
  item: '/my/items/:itemSid',
  seasons: '/my/seasons',
  profitLoss: '/my/profit-loss',
  profitSales: '/my/profit-loss/:code',
  alerts: '/my/alerts',
} as const;

export function contractHref(acno: string): string {
  return `${moneyPaths.contracts}/${encodeURIComponent(acno)}`;
}

export function itemHref(itemSid: number): string {
  return `${moneyPaths.items}/${itemSid}`;
}

/** What a season that has ended came to. */
export function pastProfitHref(season: number): string {
  return `${moneyPaths.profitLoss}?season=${season}`;
}

/** The sales of an instrument, with the filter of the list that leads there. */
export function salesHref(code: string, search: string): string {
  return `${moneyPaths.profitLoss}/${encodeURIComponent(code)}${search === '' ? '' : `?${search}`}`;
}
