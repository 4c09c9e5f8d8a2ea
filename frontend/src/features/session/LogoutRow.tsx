import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '@/shared/ui/Dialog';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { tickStore } from '@/shared/realtime/tickStore';
import { logoutCopy } from './copy';
import styles from './session.module.css';
import { logOut } from './logOut';

/** Signs out after a confirmation. */
export function LogoutRow() {
  const [isConfirmOpen, setConfirmOpen] = useState(false);
  const logout = useLogout();
  const ask = () => {
    // What could still be undone is sent while the member has a token.
    dismissSnackbar();
    setConfirmOpen(true);
  };
  return (
    <>
      <button type="button" className={styles.logout} onClick={ask}>
        {logoutCopy.action}
      </button>
      <Dialog
        open={isConfirmOpen}
        title={logoutCopy.question}
        onClose={() => setConfirmOpen(false)}
        confirm={{ label: logoutCopy.action, onClick: logout }}
      />
    </>
  );
}

/** Signs out on this device at once, and on the server when it is reachable. Nothing of the member stays on the device. */
function useLogout(): () => void {
  const queryClient = useQueryClient();
  return () => {
    void logOut();
    // Some cached data is private, such as balances, orders and likes, so all of it is dropped.
    queryClient.clear();
    tickStore.clear();
  };
}
