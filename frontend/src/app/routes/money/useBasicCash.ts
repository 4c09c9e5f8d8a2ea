import { useQuery } from '@tanstack/react-query';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { BASIC_ACCOUNT } from '@/shared/api/accountCodes';

/** Cash of the basic account that is not reserved; null until it is known, and for a visitor. */
export function useBasicCash(memberSid: number | null): number | null {
  const { data } = useQuery({ ...assetsQuery(memberSid ?? 0), enabled: memberSid !== null });
  return data?.accounts.find(({ actTcd }) => actTcd === BASIC_ACCOUNT)?.available ?? null;
}
