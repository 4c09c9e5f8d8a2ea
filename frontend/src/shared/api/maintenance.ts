import { create } from 'zustand';
import { parseServerTime } from '@/shared/format/kst';

interface Maintenance {
  /** When the product opens again; null when nobody said. */
  until: Date | null;
}

const useMaintenanceStore = create<{ maintenance: Maintenance | null }>(() => ({ maintenance: null }));

/** The product is closed for maintenance, and until when; null while it is open. */
export function useMaintenance(): Maintenance | null {
  return useMaintenanceStore((state) => state.maintenance);
}

/** The server said that it is closed. `until` is its time, if it told one. */
export function startMaintenance(until: unknown): void {
  useMaintenanceStore.setState({ maintenance: { until: typeof until === 'string' ? parseServerTime(until) : null } });
}

/** The server works again. */
export function endMaintenance(): void {
  if (useMaintenanceStore.getState().maintenance !== null) useMaintenanceStore.setState({ maintenance: null });
}
