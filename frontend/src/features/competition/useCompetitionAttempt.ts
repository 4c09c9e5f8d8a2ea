import { useQueryClient } from '@tanstack/react-query';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { competitionKeys } from './competitionKeys';

interface CompetitionAttemptOptions<Body extends object, Reply> {
  memberSid: number;
  purpose: string;
  send: (body: Body & { reqSid: string }) => Promise<Reply>;
  /** Called with a success while the screen is shown. */
  onDone: (reply: Reply) => void;
}

/** A money attempt that refetches the events and rankings after it, whatever became of it. */
export function useCompetitionAttempt<Body extends object, Reply extends { message: string }>(options: CompetitionAttemptOptions<Body, Reply>) {
  const { memberSid, purpose, send, onDone } = options;
  const queryClient = useQueryClient();
  return useMoneyAttempt<Body, Reply>({
    memberSid,
    purpose,
    send: async (body) => {
      try {
        return await send(body);
      } finally {
        void queryClient.invalidateQueries({ queryKey: competitionKeys.all(memberSid) });
      }
    },
    doneText: (reply) => reply.message,
    onOutcome: (outcome) => {
      if (outcome.kind === 'done') onDone(outcome.reply);
    },
  });
}
