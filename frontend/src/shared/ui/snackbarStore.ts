import { create } from 'zustand';

export interface SnackbarMessage {
  id: number;
  text: string;
  action?: { label: string; onClick: () => void } | undefined;
  /** Called when the message leaves without its action. */
  onDismiss?: (() => void) | undefined;
}

const useSnackbarStore = create<{ message: SnackbarMessage | null }>(() => ({ message: null }));

let nextId = 1;

/** Shows a short message at the bottom. A new message dismisses the previous one. */
export function showSnackbar(text: string, options: Pick<SnackbarMessage, 'action' | 'onDismiss'> = {}): void {
  dismissSnackbar();
  useSnackbarStore.setState({ message: { id: nextId++, text, ...options } });
}

export function dismissSnackbar(): void {
  const { message } = useSnackbarStore.getState();
  if (!message) return;
  useSnackbarStore.setState({ message: null });
  message.onDismiss?.();
}

/** Runs the message's action instead of `onDismiss`. */
export function takeSnackbarAction(): void {
  const { message } = useSnackbarStore.getState();
  useSnackbarStore.setState({ message: null });
  message?.action?.onClick();
}

export function useSnackbarMessage(): SnackbarMessage | null {
  return useSnackbarStore((state) => state.message);
}
