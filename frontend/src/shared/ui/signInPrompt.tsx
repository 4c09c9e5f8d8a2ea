import { useLocation } from 'react-router';
import { create } from 'zustand';
import { memberSid } from '@/shared/api/session';
import { signInPrompt } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { Dialog } from './Dialog';
import { useNavigateFromOverlay } from './overlayHistory';

const usePromptStore = create<{ next: string | null }>(() => ({ next: null }));

/** True when somebody is signed in; otherwise offers to sign in and, after that, to go on to `next`. */
export function isMemberOrAsk(next: string): boolean {
  if (memberSid() !== null) return true;
  usePromptStore.setState({ next });
  return false;
}

/** Where the offer appears; mounted once inside the router. */
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
