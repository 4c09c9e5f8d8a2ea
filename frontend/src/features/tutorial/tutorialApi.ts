import { api, unwrap } from '@/shared/api/client';
import type { FirstVisitFlag } from './firstVisitMemory';

/** Tells the server that a member has seen something. Repeats safely. */
export async function sendSeen(memberSid: number, flag: FirstVisitFlag): Promise<void> {
  const params = { path: { id: memberSid } };
  switch (flag) {
    case 'tutorial':
      await unwrap(api.PATCH('/api/v1/member/tutorial/{id}', { params, body: {} }));
      break;
    case 'welcomePopup':
      await unwrap(api.PATCH('/api/v1/member/welcomePopup/{id}', { params, body: {} }));
      break;
  }
}
