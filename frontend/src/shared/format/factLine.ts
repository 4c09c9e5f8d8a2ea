/** Facts for one line, the most important first: where there is no room for all of them, the last ones drop out whole. */
export function factLine(...facts: readonly string[]): string {
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' ·\u00a0');
}
