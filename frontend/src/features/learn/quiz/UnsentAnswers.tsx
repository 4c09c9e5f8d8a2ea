import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { quizCopy } from './copy';
import { sendUnsent } from './sendUnsent';
import { unsentAnswersOf } from './unsentAnswers';

const RETRY_MS = 30_000;

/** Sends kept answers as soon as there is a connection, on any screen, and says how many were graded. */
export function UnsentAnswers({ memberSid }: { memberSid: number }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const send = async () => {
      if (!navigator.onLine || document.hidden || unsentAnswersOf(memberSid).length === 0) return;
      const graded = await sendUnsent(queryClient, memberSid);
      if (graded > 0) showSnackbar(quizCopy.graded(graded));
    };
    const check = () => void send();
    check();
    const timer = setInterval(check, RETRY_MS);
    window.addEventListener('online', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [memberSid, queryClient]);
  return null;
}
