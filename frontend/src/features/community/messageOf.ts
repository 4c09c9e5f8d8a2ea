import { ApiProblem } from '@/shared/api/apiProblem';

/** The server's sentence about a rejection; ours when the call failed. */
export function messageOf(problem: unknown, otherwise: string): string {
  return problem instanceof ApiProblem && !problem.isOutcomeUnknown && problem.message !== '' ? problem.message : otherwise;
}
