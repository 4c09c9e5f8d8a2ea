import { queryKeys } from '@/shared/api/queryKeys';

export const competitionKeys = {
  all: (memberSid: number) => [...queryKeys.account(memberSid), 'competition'] as const,
};
