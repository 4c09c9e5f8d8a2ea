import { hasNativeShell } from '@/shared/platform/nativeBridge';
import type { Shared } from '@/shared/platform/share';
import { resultCardCopy } from './copy';

/** Shares a picture with a sentence through the share sheet, or saves it where there is none. Without a picture, and in a shell, which saves no files, the sentence alone. */
export async function shareResult(card: Blob | null, text: string): Promise<Shared | 'saved'> {
  if (card === null || hasNativeShell()) return shareText(text);
  const files = [new File([card], resultCardCopy.file, { type: card.type })];
  const device = navigator as Partial<Pick<Navigator, 'canShare' | 'share'>>;
  if (device.canShare?.({ files }) === true && (await openSheet({ files, text }))) return 'sheet';
  save(card);
  return 'saved';
}

/** Shares a sentence through the share sheet, or copies it where there is none. */
async function shareText(text: string): Promise<Shared> {
  const device = navigator as Partial<Pick<Navigator, 'share'>>;
  if (device.share && (await openSheet({ text }))) return 'sheet';
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

async function openSheet(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what);
    return true;
  } catch (thrown) {
    // Closing the sheet is not a failure.
    return thrown instanceof DOMException && thrown.name === 'AbortError';
  }
}

function save(card: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(card);
  link.download = resultCardCopy.file;
  link.click();
  URL.revokeObjectURL(link.href);
}
