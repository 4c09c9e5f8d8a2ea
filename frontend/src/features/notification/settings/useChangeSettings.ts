import { useMutation, useQueryClient } from '@tanstack/react-query';
import { settingsCopy } from '@/features/notification/copy.settings';
import { putSettings } from '@/features/notification/notificationApi';
import { settingsQuery } from '@/features/notification/notificationQueries';
import type { SettingsChange } from '@/features/notification/notificationTypes';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { applyChange, undoOf } from './settingsChange';

/** Changes settings, at once on the screen; one request at a time, and each failure takes back its own part. */
export function useChangeSettings(memberSid: number): (change: SettingsChange) => void {
  const queryClient = useQueryClient();
  const { queryKey } = settingsQuery(memberSid);
  const { mutate } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join(' ') },
    mutationFn: (change: SettingsChange) => putSettings(memberSid, change),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (!before) return null;
      queryClient.setQueryData(queryKey, applyChange(before, change));
      return undoOf(before, change);
    },
    onSuccess: (settings) => {
      // The reply to an earlier change lacks the later ones.
      if (queryClient.isMutating({ mutationKey: queryKey }) === 1) queryClient.setQueryData(queryKey, settings);
    },
    onError: (_problem, _change, undo) => {
      if (undo) queryClient.setQueryData(queryKey, (known) => known && applyChange(known, undo));
      showSnackbar(settingsCopy.failed);
    },
  });
  return mutate;
}
