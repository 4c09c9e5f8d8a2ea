import { create } from 'zustand';
import { onSessionChange } from '@/shared/api/session';

export interface SnackbarMessage {
  id: number;
  text: string;
  action?: { label: string; onClick: () => void } | undefined;
  /** Called when the message leaves without its action. */
  onDismiss?: (() => void) | undefined;
}

interface Snackbars {
  message: SnackbarMessage | null;
  /** What is shown next. */
  waiting: SnackbarMessage | null;
}

const useSnackbarStore = create<Snackbars>(() => ({ message: null, waiting: null }));
// It was meant for whoever was logged in.
onSessionChange(() => useSnackbarStore.setState({ waiting: null }));

let nextId = 1;

/**
 * Shows a short message at the bottom. A new message dismisses the previous one. Only a message without an action of its own
 * waits behind one with `onDismiss`: news of another act would otherwise end an undo that the member has just been offered.
 */
export function showSnackbar(text: string, options: Pick<SnackbarMessage, 'action' | 'onDismiss'> = {}): void {
  const { message: shown } = useSnackbarStore.getState();
  const message: SnackbarMessage = { id: nextId++, text, ...options };
  if (shown?.onDismiss && !message.action && !message.onDismiss) {
    useSnackbarStore.setState({ waiting: message });
    return;
  }
  useSnackbarStore.setState({ message });
  shown?.onDismiss?.();
}

export function dismissSnackbar(): void {
  const { message } = useSnackbarStore.getState();
  if (!message) return;
  showWaiting();
  message.onDismiss?.();
}

/** Runs the message's action instead of `onDismiss`. */
export function takeSnackbarAction(): void {
  const { message } = useSnackbarStore.getState();
  showWaiting();
  message?.action?.onClick();
}

export function useSnackbarMessage(): SnackbarMessage | null {
  return useSnackbarStore((state) => state.message);
}

function showWaiting(): void {
  useSnackbarStore.setState(({ waiting }) => ({ message: waiting, waiting: null }));
}
