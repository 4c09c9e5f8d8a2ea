import { useState } from 'react';
import { Dialog } from '@/shared/ui/Dialog';
import { logoutCopy } from './copy';
import styles from './session.module.css';
import { useLogout } from './useLogout';

/** Signs out after asking. */
export function LogoutRow() {
  const [isAsked, setAsked] = useState(false);
  const logout = useLogout();
  return (
    <>
      <button type="button" className={styles.logout} onClick={() => setAsked(true)}>
        {logoutCopy.action}
      </button>
      <Dialog
        open={isAsked}
        title={logoutCopy.question}
        onClose={() => setAsked(false)}
        confirm={{ label: logoutCopy.action, onClick: logout }}
      />
    </>
  );
}
