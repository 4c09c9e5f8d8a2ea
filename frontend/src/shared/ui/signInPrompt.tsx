import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { create } from 'zustand';
import { memberSid } from '@/shared/api/session';
import { loginHref } from '@/shared/paths';
import type { SignInDialogProps } from './SignInDialog';
import { useWasOpened } from './useWasOpened';

const usePromptStore = create<{ next: string | null }>(() => ({ next: null }));

const SignInDialog = lazy<ComponentType<SignInDialogProps>>(() =>
  import(/* webpackChunkName: "prompts" */ './SignInDialog').catch(() => ({ default: StraightToLogin })),
);

/** True for a member; otherwise offers to sign in and continue to `next`. */
export function requireMember(next: string): boolean {
  if (memberSid() !== null) return true;
  usePromptStore.setState({ next });
  return false;
}

/** The host of the prompt; mounted once inside the router. */
export function SignInPromptHost() {
  const next = usePromptStore((state) => state.next);
  const { pathname, search } = useLocation();
  const wasOpened = useWasOpened(next !== null);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <SignInDialog open={next !== null} next={next ?? pathname + search} onClose={() => usePromptStore.setState({ next: null })} />
    </Suspense>
  );
}

/** The login without a question, when the dialog cannot be loaded. */
function StraightToLogin({ open, next, onClose }: SignInDialogProps) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!open) return;
    onClose();
    void navigate(loginHref(next));
  }, [open, next, onClose, navigate]);
  return null;
}
