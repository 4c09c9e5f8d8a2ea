export const NOTIFICATION_TYPES = [
  'FILL',
  'PARTIAL',
  'ORDER_ENDED',
  'PRICE',
  'MATURITY',
  'AUTOPAY_MISSED',
  'COMMENT',
  'REPLY',
  'LIKE',
  'REPORT',
  'STREAK',
  'COMPETITION',
  'NOTICE',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export interface Notification {
  sid: number;
  type: NotificationType;
  title: string;
  body: string;
  /** An address of the app. */
  link: string;
  createdAt: string;
  isRead: boolean;
}

export interface NotificationPage {
  list: Notification[];
  cursor: string | null;
}

export interface UnreadCount {
  /** Above 99 they are not counted further. */
  unread: number;
  byType: { type: NotificationType; unread: number }[];
}

/** Where notifications of a type go. */
export interface Channels {
  type: NotificationType;
  inbox: boolean;
  push: boolean;
}

export interface NotificationSettings {
  types: Channels[];
  /** Korean times, `21:00`. Equal ones mean that there are no quiet hours. */
  quiet: { from: string; until: string };
  /** Whether pushes that can wait come together in the morning. */
  digest: boolean;
}

/** What is absent stays. */
export type SettingsChange = Partial<NotificationSettings>;
