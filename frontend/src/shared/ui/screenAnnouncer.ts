import { create } from 'zustand';
import { appName } from '@/shared/copy/copy.shared';

const useAnnouncementStore = create(() => ({ screen: '', polite: '' }));

/** Names the screen in the window title and to screen readers. */
export function announceScreen(title: string): void {
  document.title = `${title} | ${appName}`;
  useAnnouncementStore.setState({ screen: title });
}

/** Says something once, politely: a count of results, a finished action. Never prices. */
export function announce(text: string): void {
  useAnnouncementStore.setState({ polite: text });
}

export function useAnnouncements(): { screen: string; polite: string } {
  return useAnnouncementStore((state) => state);
}
