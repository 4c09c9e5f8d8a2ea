import { api, unwrap } from '@/shared/api/client';
import type { ContractBody, ContractReply } from '@/shared/api/types';

/** Opens a contract with money of the basic account. Repeating a `reqSid` with the same body returns the first reply. */
export function joinProduct(body: ContractBody): Promise<ContractReply> {
  return unwrap(api.POST('/api/v1/product', { body }));
}
