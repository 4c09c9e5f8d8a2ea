import { api, unwrap } from '@/shared/api/client';
import type { Platform } from '@/shared/platform/detectPlatform';

let told = '';

/** Tells the server which client a member uses, once per visit. Nobody waits for it, so a failure is passed over. */
export async function tellOs(memberSid: number, platform: Platform): Promise<void> {
  if (platform === 'unknown') return;
  const what = `${memberSid} ${platform}`;
  if (told === what) return;
  told = what;
  try {
    await unwrap(api.PATCH('/api/v1/member/os/{id}', { params: { path: { id: memberSid } }, body: { os: platform } }));
  } catch {
    told = '';
  }
}
