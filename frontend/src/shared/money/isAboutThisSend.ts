import { type ApiProblem, isProblem } from '@/shared/api/apiProblem';

/**
 * Whether a request was rejected before trading saw it: this says nothing about an earlier send of the same request. What is wrong
 * with its size or form is not meant, because the earlier send had the same body.
 */
export function isAboutThisSend(problem: ApiProblem): boolean {
  return STATUSES.includes(problem.status) || isProblem(problem, 'MARKET_UNAVAILABLE');
}

// 408: the body did not arrive in time.
const STATUSES = [401, 403, 408, 429];
