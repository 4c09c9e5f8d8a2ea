import { create } from 'zustand';
import { parseServerTime } from '@/shared/format/kst';

interface Maintenance {
  /** When the product opens again; null when unknown. */
  until: Date | null;
}

const useMaintenanceStore = create<{ maintenance: Maintenance | null }>(() => ({ maintenance: null }));

/** The maintenance in progress; null while the product is open. */
export function useMaintenance(): Maintenance | null {
  return useMaintenanceStore((state) => state.maintenance);
}

/** The server has reported a maintenance. `until` is its end, if given. */
export function startMaintenance(until: unknown): void {
  useMaintenanceStore.setState({ maintenance: { until: typeof until === 'string' ? parseServerTime(until) : null } });
}

export function endMaintenance(): void {
  if (useMaintenanceStore.getState().maintenance !== null) useMaintenanceStore.setState({ maintenance: null });
}
