import { problemOf } from './apiProblem';
import { turnOf } from './pace';

const REQUEST_TIMEOUT_MS = 15_000;
/** A burst, as of two tabs that open at once, is over sooner; whoever has to wait longer is told so. */
const LONGEST_WAIT_S = 5;
const SENT_AGAIN = 2;
/** The tabs that were told the same do not come back in the same moment. */
const SPREAD_MS = 300;

/** `fetch` with a time limit, sent again after the wait that the server asks for when there were too many calls in a moment. */
export async function patientFetch(request: Request): Promise<Response> {
  let next = request;
  for (let again = 0; again < SENT_AGAIN; again++) {
    // A sent body is consumed.
    const spare = next.clone();
    const response = await fetchOnce(next);
    const waitS = await secondsToWait(response);
    if (waitS === null) return response;
    await new Promise((resume) => setTimeout(resume, waitS * 1_000 + Math.random() * SPREAD_MS));
    next = spare;
  }
  return fetchOnce(next);
}

async function fetchOnce(request: Request): Promise<Response> {
  await turnOf(request);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  return globalThis.fetch(request, { signal });
}

async function secondsToWait(response: Response): Promise<number | null> {
  if (response.status !== 429) return null;
  const { retryAfterS } = await problemOf(response);
  return retryAfterS <= LONGEST_WAIT_S ? retryAfterS : null;
}
