/** The values that are there: an absent one is no part of the address. */
export function given<Values extends Record<string, unknown>>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
