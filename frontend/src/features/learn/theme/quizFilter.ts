import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';

/** Levels and themes of a member's random quiz; none means all. */
export interface QuizChoice {
  levels: string[];
  themes: string[];
}

export function quizFilterQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.learn, memberSid, 'filter'],
    queryFn: async ({ signal }): Promise<QuizChoice> => {
      const { quizFilter } = await unwrap(api.GET('/api/v1/member/quizFilter/{id}', { params: { path: { id: memberSid } }, signal }));
      return quizFilter;
    },
  });
}

export async function changeQuizFilter(memberSid: number, quizFilter: QuizChoice): Promise<QuizChoice> {
  const changed = await unwrap(api.PATCH('/api/v1/member/quizFilter/{id}', { params: { path: { id: memberSid } }, body: { quizFilter } }));
  return changed.quizFilter;
}
