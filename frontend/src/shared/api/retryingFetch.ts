import { problemOf } from './apiProblem';
import { waitForSlot } from './rateLimit';

const REQUEST_TIMEOUT_MS = 15_000;
/** A burst, such as two tabs opening at once, passes within this time; a longer delay is reported to the member. */
const MAX_WAIT_S = 5;
const MAX_RETRIES = 2;
/** Spreads the retries of tabs that received the same delay. */
const JITTER_MS = 300;

/** `fetch` with a timeout. Retries a 429 after the delay the server asks for. */
export async function retryingFetch(request: Request): Promise<Response> {
  let current = request;
  for (let retries = 0; retries < MAX_RETRIES; retries++) {
    // A sent body is consumed.
    const retry = current.clone();
    const response = await fetchOnce(current);
    const waitS = await retryDelayS(response);
    if (waitS === null) return response;
    await new Promise((resume) => setTimeout(resume, waitS * 1_000 + Math.random() * JITTER_MS));
    current = retry;
  }
  return fetchOnce(current);
}

async function fetchOnce(request: Request): Promise<Response> {
  await waitForSlot(request);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  return globalThis.fetch(request, { signal });
}

async function retryDelayS(response: Response): Promise<number | null> {
  if (response.status !== 429) return null;
  const { retryAfterS } = await problemOf(response);
  return retryAfterS <= MAX_WAIT_S ? retryAfterS : null;
}
