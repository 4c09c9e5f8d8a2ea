/** Warnings that an order has to acknowledge. */
export function needsConsent(warnCode: string): boolean {
  return warnCode === '02' || warnCode === '03';
}
