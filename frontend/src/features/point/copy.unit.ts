export function pointUnit(count: string): string {
  return `${count}P`;
}
