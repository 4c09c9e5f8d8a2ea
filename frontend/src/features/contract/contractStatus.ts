import type { Contract } from '@/shared/api/types';

/** Whether a contract still holds the member's money: it runs, or is kept after its maturity. */
export function isOpenContract({ closedOn }: Pick<Contract, 'closedOn'>): boolean {
  return closedOn === null || closedOn === undefined;
}

/** Whether a contract has matured and is kept: it earns less now, until it is closed. */
export function isKeptContract(contract: Pick<Contract, 'closedOn' | 'status'>): boolean {
  return contract.status === 'MATURED' && isOpenContract(contract);
}

/** Whether a payment whose day has come was not made, but still can be. */
export function isPaymentOverdue({ rsrvType, payable, paymentsDue, paymentsMade, paymentsMissed }: Contract): boolean {
  return rsrvType === 'S' && payable > 0 && paymentsDue > paymentsMade + paymentsMissed;
}
