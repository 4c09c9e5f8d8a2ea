import type { FillEvent } from '@/shared/realtime/fills';

/**
 * Parses a pushed fill. The fields of the fill and its order are side by side or nested, in the camel case of REST or the snake
 * case of the price channels.
 */
export function fillFromWire(wire: Record<string, unknown>): FillEvent {
  const raw = inCamelCase(wire);
  const order = asRecord(raw.order) ?? raw;
  const fill = asRecord(raw.fill) ?? raw;
  return {
    fill: { ...fill, orderSid: Number(fill.orderSid ?? order.orderSid ?? 0) },
    order: { ...order },
    raw,
  };
}

function inCamelCase(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => {
      const nested = asRecord(value);
      return [key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()), nested ? inCamelCase(nested) : value];
    }),
  );
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}
