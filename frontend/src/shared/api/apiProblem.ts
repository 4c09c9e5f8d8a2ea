import * as v from 'valibot';

const ProblemBody = v.object({
  code: v.number(),
  reason: v.fallback(v.string(), 'UNKNOWN'),
  message: v.fallback(v.string(), ''),
  traceId: v.fallback(v.string(), ''),
  fields: v.optional(v.unknown()),
  facts: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
});

/** Codes of problems that never reached a server or came back unreadable. */
export const NETWORK_CODE = 0;
export const UNREADABLE_CODE = -1;
/** Of a call that was not looked at because there were too many: it may be sent again, whatever it asks for. */
const RATE_LIMITED = 9006;

interface ProblemInput {
  code: number;
  reason: string;
  message?: string | undefined;
  traceId?: string | undefined;
  fields?: unknown;
  facts?: Record<string, unknown> | undefined;
}

/** A refused or failed call. Decide by `code` and `reason`; `message` is the sentence a member may read. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: number;
  readonly reason: string;
  readonly traceId: string;
  readonly status: number;
  /** What each field of a malformed body did wrong. */
  readonly fields: unknown;
  /** The figures of a refused rule, such as what was needed and what there is. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** After how many seconds the same call may be sent again, where there were too many; NaN of every other problem. */
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

  /** True when nobody knows whether the server acted: the answer was lost or never came. */
  get isOutcomeUnknown(): boolean {
    return this.code === NETWORK_CODE || this.code === UNREADABLE_CODE || this.status >= 500;
  }
}

/** The problem of an answer whose body is parsed; one that is not a problem document becomes UNREADABLE. */
export function problemFrom(body: unknown, { status, headers }: Response): ApiProblem {
  const parsed = v.safeParse(ProblemBody, body);
  if (!parsed.success) return new ApiProblem({ code: UNREADABLE_CODE, reason: 'UNREADABLE' }, status);
  const { code } = parsed.output;
  return new ApiProblem(parsed.output, status, code === RATE_LIMITED ? Number(headers.get('Retry-After') ?? NaN) : NaN);
}

/** The problem of an answer, which stays readable. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  return problemFrom(await response.clone().json().catch(() => null), response);
}

/** A fetch that threw: no connection, or no answer in time. */
export function problemFromThrown(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  const isTimeout = thrown instanceof DOMException && thrown.name === 'TimeoutError';
  return new ApiProblem({ code: NETWORK_CODE, reason: isTimeout ? 'TIMEOUT' : 'NETWORK' });
}

export function isProblem(error: unknown, reason: string): error is ApiProblem {
  return error instanceof ApiProblem && error.reason === reason;
}
