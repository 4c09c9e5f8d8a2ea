/** The past season that an address names; null is the present one. */
export function seasonOf(search: URLSearchParams): number | null {
  const text = search.get('season');
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
