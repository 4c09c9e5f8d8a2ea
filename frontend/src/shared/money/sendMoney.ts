import { type ApiProblem, problemFromThrown } from '@/shared/api/apiProblem';
import { isAboutThisSend } from './isAboutThisSend';
import { forgetRequest, isUnresolved, type MoneyRequest, rememberRequest } from './unresolvedRequests';

export type MoneyOutcome<Reply> =
  | { kind: 'done'; reply: Reply }
  /** The server decided against it; nothing has changed. */
  | { kind: 'refused'; problem: ApiProblem }
  /** It may have happened, or may never have arrived. */
  | { kind: 'unknown' };

/**
 * Sends a confirmed request once. Its request id is kept until the server has decided: a stored answer is replayed for the
 * same id, so sending again asks what became of it.
 */
export async function sendMoney<Body extends object, Reply>(
  request: MoneyRequest<Body>,
  send: (body: Body & { reqSid: string }) => Promise<Reply>,
): Promise<MoneyOutcome<Reply>> {
  const { reqSid } = request.body;
  const wasSent = isUnresolved(reqSid);
  rememberRequest(request);
  try {
    const reply = await send(request.body);
    forgetRequest(reqSid);
    return { kind: 'done', reply };
  } catch (thrown) {
    const problem = problemFromThrown(thrown);
    if (isUndecided(problem) || (wasSent && isAboutThisSend(problem))) return { kind: 'unknown' };
    forgetRequest(reqSid);
    return { kind: 'refused', problem };
  }
}

// REQ_SID_IN_PROGRESS: the first send is still being processed.
function isUndecided({ reason, isOutcomeUnknown }: ApiProblem): boolean {
  return isOutcomeUnknown || reason === 'REQ_SID_IN_PROGRESS';
}
