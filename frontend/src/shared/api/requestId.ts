/** A new retry key for one confirmed money action. Keep it for every retry of that confirmation. */
export function newRequestId(): string {
  return typeof crypto.randomUUID === 'function' ? crypto.randomUUID() : fromRandomBytes();
}

// `randomUUID` exists only in secure contexts, and a phone may open the app over plain http in the same house.
function fromRandomBytes(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
