import { plainJson } from '@/shared/api/plainJson';

/** A confirmed request for money. Its body and request id are fixed, so sending it again never acts twice. */
export interface MoneyRequest<Body extends object = object> {
  memberSid: number;
  /** What is asked for, such as `transfer`; requests of different purposes never replace each other. */
  purpose: string;
  body: Body & { reqSid: string };
}

/**
 * The member's requests of one purpose without a known outcome, oldest first. They are stored for the life of the tab: no
 * reload may lose the request id that makes a retry idempotent.
 */
export function unresolvedRequests<Body extends object>(memberSid: number, purpose: string): MoneyRequest<Body>[] {
  return requests().filter((request) => request.memberSid === memberSid && request.purpose === purpose) as MoneyRequest<Body>[];
}

export function isUnresolved(reqSid: string): boolean {
  return requests().some(({ body }) => body.reqSid === reqSid);
}

/** Called before sending, because the page may go away while the request is on its way. */
export function rememberRequest(request: MoneyRequest): void {
  if (!isUnresolved(request.body.reqSid)) store([...requests(), request].slice(-MAX_STORED));
}

/** Called once the server has answered to this request id. */
export function forgetRequest(reqSid: string): void {
  store(requests().filter(({ body }) => body.reqSid !== reqSid));
}

/** Whether a new confirmation asks for the same as an unresolved request. */
export function isSameBody(sent: object, body: object): boolean {
  return plainJson({ ...sent, reqSid: undefined }) === plainJson({ ...body, reqSid: undefined });
}

const STORAGE_KEY = 'unresolved-money';
const MAX_STORED = 50;
// Used where session storage is unavailable.
let inMemory: MoneyRequest[] | null = null;

function requests(): MoneyRequest[] {
  if (inMemory !== null) return inMemory;
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as MoneyRequest[];
  } catch {
    return [];
  }
}

function store(list: MoneyRequest[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, plainJson(list));
    inMemory = null;
  } catch {
    inMemory = list;
  }
}
