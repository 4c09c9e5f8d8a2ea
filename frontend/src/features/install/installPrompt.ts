/** The browser's own offer to install, held back until somebody asks for it. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

let held: InstallPromptEvent | null = null;

/** Starts holding the browser's offer back. Returns the function that stops it. */
export function holdInstallPrompt(): () => void {
  const hold = (event: Event) => {
    event.preventDefault();
    held = event as InstallPromptEvent;
  };
  const installed = () => {
    held = null;
  };
  window.addEventListener('beforeinstallprompt', hold);
  window.addEventListener('appinstalled', installed);
  return () => {
    window.removeEventListener('beforeinstallprompt', hold);
    window.removeEventListener('appinstalled', installed);
  };
}

/** Makes the browser offer to install. False when it has nothing to offer, and the person must do it by its menu. */
export function promptInstall(): boolean {
  if (held === null) return false;
  const event = held;
  held = null;
  event.prompt().catch(() => undefined);
  return true;
}

/** True when the page already runs like an app. */
export function isInstalled(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches;
}
