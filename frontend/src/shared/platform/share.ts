/** How sharing ended: the device's own sheet took it, the address was copied instead, or neither can be done here. */
export type Shared = 'sheet' | 'copied' | 'failed';

/** Hands the present screen to somebody else: the device's share sheet, or the address on the clipboard. */
export async function shareScreen(title: string): Promise<Shared> {
  const url = location.href;
  const device = navigator as Partial<Pick<Navigator, 'share' | 'clipboard'>>;
  if (device.share) {
    try {
      await navigator.share({ title, url });
      return 'sheet';
    } catch (thrown) {
      // Closing the sheet without a choice is a choice.
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return 'sheet';
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    return 'failed';
  }
}
