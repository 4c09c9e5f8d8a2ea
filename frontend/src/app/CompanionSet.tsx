import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { NativeShell } from '@/features/bridge/NativeShell';
import { InstallOffer } from '@/features/install/InstallOffer';
import { queryKeys } from '@/shared/api/queryKeys';

/** The native shell and the offer of the app. */
export function CompanionSet() {
  const queryClient = useQueryClient();
  const hasTraded = useCallback(
    (memberSid: number) =>
      // Who owns or has ordered something has traded; what the screens know of it is enough, so nothing is asked for this.
      TRADES.some((kind) =>
        queryClient
          .getQueriesData({ queryKey: [...queryKeys.account(memberSid), kind] })
          .some(([, data]) => Array.isArray(data) && data.length > 0),
      ),
    [queryClient],
  );
  return (
    <>
      <NativeShell />
      <InstallOffer isActive={hasTraded} />
    </>
  );
}

const TRADES = ['holdings', 'waiting'] as const;
