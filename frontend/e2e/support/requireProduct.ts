import { product } from './product';

/** Fails the whole run at once when the product does not answer. */
export default async function requireProduct(): Promise<void> {
  const response = await fetch(`${product.origin}/config.json`).catch(() => null);
  if (response?.ok !== true) {
    throw new Error(`nothing answers at ${product.origin}: start the product first ('make e2e' does)`);
  }
}
