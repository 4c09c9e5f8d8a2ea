import { create } from 'zustand';
import { appName } from '@/shared/copy/copy.shared';

const useAnnouncementStore = create(() => ({ screen: '', polite: '' }));

/** Sets the window title and announces the screen. What was announced on the screen before is cleared. */
export function announceScreen(title: string): void {
  document.title = `${title} | ${appName}`;
  useAnnouncementStore.setState({ screen: title, polite: '' });
}

/** Announces a text politely, such as a result count. Never prices. */
export function announce(text: string): void {
  useAnnouncementStore.setState({ polite: text });
}

export function useAnnouncements(): { screen: string; polite: string } {
  return useAnnouncementStore((state) => state);
}
