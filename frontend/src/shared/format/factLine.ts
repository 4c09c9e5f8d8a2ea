/** Facts on one line, the most important first; without room for all of them the last ones are dropped whole. */
export function factLine(...facts: readonly string[]): string {
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' ·\u00a0');
}
