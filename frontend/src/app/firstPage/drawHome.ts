import { assetsCopy } from '@/features/account/copy';
import { lastKnownOf } from '@/features/offline/lastKnown';
import { queryKeys } from '@/shared/api/queryKeys';
import { readMemberSid } from '@/shared/api/sessionCookies';
import type { Assets } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { asOf } from '@/shared/format/kst';
import { won } from '@/shared/format/won';
import { storedPreferences } from '@/shared/platform/storedPreferences';
import { element } from './element';

/** Draws the member's last known money and its time at their place on home. */
export function drawHome(): void {
  const memberSid = readMemberSid();
  if (document.documentElement.dataset.boot !== 'home' || memberSid === null || storedPreferences().hideAmounts) return;
  const known = lastKnownOf(queryKeys.assets(memberSid));
  if (known === undefined) return;
  const home = document.querySelector('.boot > .boot-home');
  const [label, figure] = home?.querySelectorAll(':scope > i') ?? [];
  home?.classList.add('boot-known');
  label?.append(assetsCopy.total, element('span', 'boot-as-of', state.offlineSince(asOf(new Date(known.atMs), new Date()))));
  figure?.append(won((known.data as Assets).total));
}
