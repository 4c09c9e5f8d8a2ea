import { session } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { Dialog } from '@/shared/ui/Dialog';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';

export interface SessionEndDialogProps {
  open: boolean;
  /** Where to return after another login. */
  next: string;
  onClose: () => void;
}

/** Tells on a public screen that the session is over, and offers the login. */
export default function SessionEndDialog({ open, next, onClose }: SessionEndDialogProps) {
  const navigate = useNavigateFromOverlay();
  return (
    <Dialog
      open={open}
      title={session.ended}
      body={session.endedBody}
      onClose={onClose}
      confirm={{
        label: session.loginAgain,
        onClick: () => {
          onClose();
          navigate(loginHref(next));
        },
      }}
    />
  );
}
