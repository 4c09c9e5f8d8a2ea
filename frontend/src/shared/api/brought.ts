/** Whoever goes back may be given a page from before: its prices are no longer those of now. */
const MAX_AGE_MS = 30_000;

/** An answer of the API, and when it was given. */
export interface BroughtAnswer {
  atMs: number;
  answer: unknown;
}

/** What the page brought along of the read: its answer as nobody in particular gets it. Nothing when it brought another, or is old. */
export function brought(read: string): BroughtAnswer | undefined {
  const found = broughtPrices();
  return found?.read === read ? { atMs: found.at, answer: found.answer } : undefined;
}

/** As the gateway writes it into the page. Nothing is validated: every byte here comes before a first page is drawn. */
interface Prices {
  at: number;
  read: string;
  answer: unknown;
}

/** What a text was read as: a list asks for it whenever it is drawn. */
let last: { text: string; prices: Prices | undefined } = { text: '', prices: undefined };

/** The first prices of the page's screen, whatever its program would ask for. */
export function broughtPrices(): Prices | undefined {
  const text = document.getElementById('first-prices')?.textContent ?? '';
  if (text !== last.text) {
    last = { text, prices: text === '' ? undefined : (JSON.parse(text) as Prices) };
  }
  const { prices } = last;
  return prices && Math.abs(Date.now() - prices.at) < MAX_AGE_MS ? prices : undefined;
}
