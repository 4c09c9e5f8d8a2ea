import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { isProblem } from '@/shared/api/apiProblem';
import type { PriceAlert } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { dismissSnackbar, showSnackbar } from '@/shared/ui/snackbarStore';
import { useOnLeave } from '@/shared/ui/useOnLeave';
import { alertsQuery, deleteAlert } from './alertApi';
import { alertCopy } from './copy';

interface Removal {
  /** The alert that an undo still brings back, which is as long as its message is shown. */
  undoable: number | null;
  /** What is not shown: the undoable one, and those whose deletion is on its way. */
  hidden: ReadonlySet<number>;
}

const useRemovalStore = create<Removal>(() => ({ undoable: null, hidden: new Set() }));

export const useHiddenAlerts = (): ReadonlySet<number> => useRemovalStore((state) => state.hidden);

/** Hides an alert at once. It is deleted when its message goes without an undo; an earlier one is deleted first. */
export function removeAlert(queryClient: QueryClient, memberSid: number, { sid }: PriceAlert): void {
  showSnackbar(alertCopy.removed, {
    action: { label: given.undo, onClick: () => show(sid) },
    onDismiss: () => void commit(queryClient, memberSid, sid),
  });
  useRemovalStore.setState(({ hidden }) => ({ undoable: sid, hidden: new Set([...hidden, sid]) }));
}

/** Deletes at once what could still be undone, when the screen is left or the page is hidden: nobody could undo it there. */
export function useCommitOnLeave(): void {
  useOnLeave(commitNow);
}

function commitNow(): void {
  // The message takes its undo along.
  if (useRemovalStore.getState().undoable !== null) dismissSnackbar();
}

async function commit(queryClient: QueryClient, memberSid: number, sid: number): Promise<void> {
  useRemovalStore.setState({ undoable: null });
  const { queryKey } = alertsQuery(memberSid);
  try {
    await deleteAlert(memberSid, sid);
    forget();
  } catch (problem) {
    if (isProblem(problem, 'ALERT_NOT_FOUND')) forget();
    else showSnackbar(alertCopy.removeFailed);
  }
  show(sid);
  void queryClient.invalidateQueries({ queryKey });

  function forget() {
    const isOther = (alert: PriceAlert) => alert.sid !== sid;
    queryClient.setQueryData(queryKey, (alerts) => alerts && { active: alerts.active.filter(isOther), fired: alerts.fired.filter(isOther) });
  }
}

function show(sid: number): void {
  useRemovalStore.setState(({ undoable, hidden }) => ({
    undoable: undoable === sid ? null : undoable,
    hidden: new Set([...hidden].filter((one) => one !== sid)),
  }));
}
