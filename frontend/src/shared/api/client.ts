import createClient, { createQuerySerializer } from 'openapi-fetch';
import { problemFrom, problemFromThrown } from './apiProblem';
import { recordDigits } from './exactDigits';
import { plainJson } from './plainJson';
import type { paths } from './schema';
import { sessionFetch } from './sessionFetch';

const querySerializer = createQuerySerializer();

/** The typed client of the gateway. Wrap each call in `unwrap`. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: sessionFetch,
  bodySerializer: plainJson,
  querySerializer: (query) => querySerializer(withPlainNumbers(query)),
});

// Replies with order quantities, whose digits are recorded.
const WITH_QUANTITIES = /\/(?:invest|wait)\//;
api.use({
  onResponse: async ({ schemaPath, response }) => {
    if (WITH_QUANTITIES.test(schemaPath)) recordDigits(await response.clone().text());
  },
});

/** The data of a call. Throws its problem. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const answer = await call.catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw problemFromThrown(thrown);
  });
  if (!answer.response.ok) throw problemFrom(answer.error, answer.response);
  return answer.data as T;
}

function withPlainNumbers(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typeof value === 'number' ? plainJson(value) : value]));
}
