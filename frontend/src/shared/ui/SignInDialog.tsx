import { action } from '@/shared/copy/copy.shared';
import { signInPrompt } from '@/shared/copy/copy.signIn';
import { joinHref, loginHref } from '@/shared/paths';
import { Dialog } from './Dialog';
import { useNavigateFromOverlay } from './overlayHistory';

export interface SignInDialogProps {
  open: boolean;
  /** Where to continue afterwards. */
  next: string;
  onClose: () => void;
}

/** Offers a visitor to join or to log in, to continue at `next`. */
export default function SignInDialog({ open, next, onClose }: SignInDialogProps) {
  const navigate = useNavigateFromOverlay();
  const leaveTo = (href: string) => () => {
    onClose();
    navigate(href);
  };
  return (
    <Dialog
      open={open}
      title={signInPrompt.title}
      body={signInPrompt.body}
      onClose={onClose}
      other={{ label: action.join, onClick: leaveTo(joinHref(next)) }}
      confirm={{ label: signInPrompt.action, onClick: leaveTo(loginHref(next)) }}
    />
  );
}
