/** How sharing ended: the device's own sheet took it, the address was copied instead, or neither can be done here. */
export type Shared = 'sheet' | 'copied' | 'failed';

/** What is handed on. */
export interface Shareable {
  title: string;
  url: string;
}

/** Hands the present screen to somebody else: the native shell's sheet, the browser's, or the address on the clipboard. */
export async function shareScreen(title: string): Promise<Shared> {
  const what = { title, url: location.href };
  if (nativeShare !== null && (await nativeShare(what))) return 'sheet';
  const device = navigator as Partial<Pick<Navigator, 'share' | 'clipboard'>>;
  if (device.share) {
    try {
      await navigator.share(what);
      return 'sheet';
    } catch (thrown) {
      // Closing the sheet without a choice is a choice.
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return 'sheet';
    }
  }
  try {
    await navigator.clipboard.writeText(what.url);
    return 'copied';
  } catch {
    return 'failed';
  }
}

let nativeShare: ((what: Shareable) => Promise<boolean>) | null = null;

/** A native shell has the better sheet; it says whether it has opened it. */
export function setNativeShare(native: ((what: Shareable) => Promise<boolean>) | null): void {
  nativeShare = native;
}
