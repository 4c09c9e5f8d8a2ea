/** The outcome of sharing: through a share sheet, by copying the address, or not possible here. */
export type Shared = 'sheet' | 'copied' | 'failed';

interface Shareable {
  title: string;
  url: string;
}

/** Shares the screen: through the native shell, the browser's share sheet, or the clipboard. */
export async function shareScreen(title: string): Promise<Shared> {
  const what = { title, url: location.href };
  if (nativeShare !== null && (await nativeShare(what))) return 'sheet';
  const device = navigator as Partial<Pick<Navigator, 'share' | 'clipboard'>>;
  if (device.share) {
    try {
      await navigator.share(what);
      return 'sheet';
    } catch (thrown) {
      // Closing the sheet is not a failure.
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

/** A native shell has the better sheet; the callback returns whether it opened. */
export function setNativeShare(native: ((what: Shareable) => Promise<boolean>) | null): void {
  nativeShare = native;
}
