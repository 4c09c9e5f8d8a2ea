/** A new idempotency key for one confirmed order. Reuse it for every retry of that confirmation. */
export function newRequestId(): string {
  return typeof crypto.randomUUID === 'function' ? crypto.randomUUID() : fromRandomBytes();
}

// `randomUUID` needs a secure context; during development a phone may open the app over plain HTTP.
function fromRandomBytes(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
