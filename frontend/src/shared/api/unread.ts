import { create } from 'zustand';

const useUnreadStore = create<{ unread: number }>(() => ({ unread: 0 }));

/** The member's unread notifications; 0 while they are not known. Above 99 they are not counted further. */
export function useUnread(): number {
  return useUnreadStore((state) => state.unread);
}

export function setUnread(unread: number): void {
  useUnreadStore.setState({ unread });
}
