import { api, unwrap } from '@/shared/api/client';
import type { Platform } from '@/shared/platform/detectPlatform';

let reported = '';

/** Tells the server which client a member uses, once per visit. Nobody waits for it, so a failure is passed over. */
export async function reportOs(memberSid: number, platform: Platform): Promise<void> {
  if (platform === 'unknown') return;
  const report = `${memberSid} ${platform}`;
  if (reported === report) return;
  reported = report;
  try {
    await unwrap(api.PATCH('/api/v1/member/os/{id}', { params: { path: { id: memberSid } }, body: { os: platform } }));
  } catch {
    reported = '';
  }
}
