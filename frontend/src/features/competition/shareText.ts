import type { Shared } from '@/shared/platform/share';

/** Shares a sentence through the share sheet, or copies it where there is none. */
export async function shareText(text: string): Promise<Shared> {
  const device = navigator as Partial<Pick<Navigator, 'share'>>;
  if (device.share) {
    try {
      await navigator.share({ text });
      return 'sheet';
    } catch (thrown) {
      // Closing the sheet is not a failure.
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return 'sheet';
    }
  }
  return (await copyText(text)) ? 'copied' : 'failed';
}

/** Whether the text is in the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
