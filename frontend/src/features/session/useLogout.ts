import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endSession } from '@/shared/api/session';
import { tickStore } from '@/shared/realtime/tickStore';
import { signOutOnServer } from './sessionApi';

/** Signs out here and on the server. Nothing of the member stays on the device, whatever the server answers. */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: signOutOnServer,
    onSettled: () => {
      endSession('logout');
      // Ticks and lists are public, but balances, orders and whose likes they were are not: everything cached goes.
      queryClient.clear();
      tickStore.clear();
    },
  });
}
