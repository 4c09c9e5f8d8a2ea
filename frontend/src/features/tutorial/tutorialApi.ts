import { api, unwrap } from '@/shared/api/client';
import type { FirstVisitFlag } from './firstVisitMemory';

type Patch = (path: string, init: { params: { path: { id: number } } }) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Tells the server that a member has seen something. Repeats safely. */
export async function sendSeen(memberSid: number, flag: FirstVisitFlag): Promise<void> {
  const path = flag === 'tutorial' ? '/api/v1/member/tutorial/{id}' : '/api/v1/member/welcomePopup/{id}';
  await unwrap((api.PATCH as unknown as Patch)(path, { params: { path: { id: memberSid } } }));
}
