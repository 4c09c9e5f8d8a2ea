import { recordOf, textOf } from './jsonShape';

/** Codes of problems without a readable reply. */
export const NETWORK_CODE = 0;
const UNREADABLE_CODE = -1;
/** The request was rejected unread because of the rate limit, so any request may be repeated. */
const RATE_LIMITED = 9006;

interface ProblemInput {
  code: number;
  reason: string;
  message?: string | undefined;
  traceId?: string | undefined;
  fields?: unknown;
  facts?: Record<string, unknown> | undefined;
}

/** A rejected or failed call. Decide by `code` and `reason`; `message` may be shown to the member. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: number;
  readonly reason: string;
  readonly traceId: string;
  readonly status: number;
  /** The errors of a malformed body by field. */
  readonly fields: unknown;
  /** The figures of a violated rule, such as required and available amounts. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Seconds until a rate-limited call may be repeated; NaN for other problems. */
  readonly retryAfterS: number;

  constructor(body: ProblemInput, status = 0, retryAfterS = NaN) {
    super(body.message ?? '');
    this.code = body.code;
    this.reason = body.reason;
    this.traceId = body.traceId ?? '';
    this.fields = body.fields;
    this.facts = body.facts ?? {};
    this.status = status;
    this.retryAfterS = retryAfterS;
  }

  /** True when the server may have acted: the reply was lost. */
  get isOutcomeUnknown(): boolean {
    return this.code === NETWORK_CODE || this.code === UNREADABLE_CODE || this.status >= 500;
  }
}

/** The problem of a parsed body; anything but a problem document becomes UNREADABLE. */
export function problemFrom(body: unknown, { status, headers }: Response): ApiProblem {
  const { code, reason, message, traceId, fields, facts } = recordOf(body) ?? {};
  if (typeof code !== 'number' || Number.isNaN(code)) return new ApiProblem({ code: UNREADABLE_CODE, reason: 'UNREADABLE' }, status);
  return new ApiProblem(
    { code, reason: textOf(reason, 'UNKNOWN'), message: textOf(message), traceId: textOf(traceId), fields, facts: recordOf(facts) ?? undefined },
    status,
    code === RATE_LIMITED ? Number(headers.get('Retry-After') ?? NaN) : NaN,
  );
}

/** The problem of a response, which stays readable. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  return problemFrom(await response.clone().json().catch(() => null), response);
}

/** `fetch` threw: no connection, or a timeout. */
export function problemFromThrown(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  const isTimeout = thrown instanceof DOMException && thrown.name === 'TimeoutError';
  return new ApiProblem({ code: NETWORK_CODE, reason: isTimeout ? 'TIMEOUT' : 'NETWORK' });
}

export function isProblem(error: unknown, reason: string): error is ApiProblem {
  return error instanceof ApiProblem && error.reason === reason;
}
