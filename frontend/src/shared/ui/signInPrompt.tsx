import { useLocation } from 'react-router';
import { create } from 'zustand';
import { memberSid } from '@/shared/api/session';
import { signInPrompt } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { Dialog } from './Dialog';
import { useNavigateFromOverlay } from './overlayHistory';

const usePromptStore = create<{ next: string | null }>(() => ({ next: null }));

/** True for a member; otherwise offers to sign in and continue to `next`. */
export function requireMember(next: string): boolean {
  if (memberSid() !== null) return true;
  usePromptStore.setState({ next });
  return false;
}

/** The host of the prompt; mounted once inside the router. */
export function SignInPromptHost() {
  const next = usePromptStore((state) => state.next);
  const navigate = useNavigateFromOverlay();
  const { pathname, search } = useLocation();
  const close = () => usePromptStore.setState({ next: null });
  return (
    <Dialog
      open={next !== null}
      title={signInPrompt.title}
      body={signInPrompt.body}
      onClose={close}
      confirm={{
        label: signInPrompt.action,
        onClick: () => {
          close();
          navigate(loginHref(next ?? pathname + search));
        },
      }}
    />
  );
}
