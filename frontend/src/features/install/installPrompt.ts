/** The browser's install prompt, deferred until the member asks for it. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

let deferredPrompt: InstallPromptEvent | null = null;

/** Defers the browser's install prompt. Returns the cleanup. */
export function deferInstallPrompt(): () => void {
  const defer = (event: Event) => {
    event.preventDefault();
    deferredPrompt = event as InstallPromptEvent;
  };
  const installed = () => {
    deferredPrompt = null;
  };
  window.addEventListener('beforeinstallprompt', defer);
  window.addEventListener('appinstalled', installed);
  return () => {
    window.removeEventListener('beforeinstallprompt', defer);
    window.removeEventListener('appinstalled', installed);
  };
}

/** Shows the browser's install prompt. False when there is none and the person must use the browser menu. */
export function promptInstall(): boolean {
  if (deferredPrompt === null) return false;
  const event = deferredPrompt;
  deferredPrompt = null;
  event.prompt().catch(() => undefined);
  return true;
}

/** Whether the page already runs as an installed app. */
export function isInstalled(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches;
}
