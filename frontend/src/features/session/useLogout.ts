import { useQueryClient } from '@tanstack/react-query';
import { tickStore } from '@/shared/realtime/tickStore';
import { logOut } from './logOut';

/** Signs out here at once, and on the server when it can be reached. Nothing of the member stays on the device. */
export function useLogout(): () => void {
  const queryClient = useQueryClient();
  return () => {
    void logOut();
    // Ticks and lists are public, but balances, orders and whose likes they were are not: everything cached goes.
    queryClient.clear();
    tickStore.clear();
  };
}
