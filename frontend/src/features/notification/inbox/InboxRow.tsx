import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { inboxCopy } from '@/features/notification/copy.inbox';
import { BellIcon, TrophyIcon } from '@/features/notification/icons';
import type { Notification, NotificationType } from '@/features/notification/notificationTypes';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { rel } from '@/shared/format/rel';
import { BookIcon, ChartIcon, ClockIcon, type IconProps, TalkIcon } from '@/shared/ui/icons';
import styles from './Inbox.module.css';

const ICONS: Record<NotificationType, ComponentType<IconProps>> = {
  FILL: ChartIcon,
  PARTIAL: ChartIcon,
  ORDER_ENDED: ChartIcon,
  PRICE: ChartIcon,
  MATURITY: ClockIcon,
  AUTOPAY_MISSED: ClockIcon,
  COMMENT: TalkIcon,
  REPLY: TalkIcon,
  LIKE: TalkIcon,
  REPORT: TalkIcon,
  STREAK: BookIcon,
  COMPETITION: TrophyIcon,
  NOTICE: BellIcon,
};

/** An address of the app; anything else would lead away. */
const IN_APP = /^\/(?![/\\])/;

interface InboxRowProps {
  notification: Notification;
  now: Date;
  onOpen: () => void;
}

/** A notification. Opening it marks it as read. */
export function InboxRow({ notification: { type, title, body, link, createdAt, isRead }, now, onOpen }: InboxRowProps) {
  const at = parseServerTime(createdAt);
  // A newer server may know further types.
  const TypeIcon = (ICONS as Partial<typeof ICONS>)[type] ?? BellIcon;
  const content = (
    <>
      <span aria-hidden="true" className={styles.icon}>
        <TypeIcon size={20} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {body !== '' && <span className={styles.body}>{body}</span>}
        {at && (
          <time className={styles.time} dateTime={at.toISOString()} title={kstDateTime(at)}>
            {rel(at, now)}
          </time>
        )}
      </span>
      {!isRead && <span className={styles.unread}>{inboxCopy.unread}</span>}
    </>
  );
  if (!IN_APP.test(link)) {
    return (
      <button type="button" className={styles.row} data-unread={!isRead || undefined} onClick={onOpen}>
        {content}
      </button>
    );
  }
  return (
    <Link to={link} className={styles.row} data-unread={!isRead || undefined} onClick={onOpen}>
      {content}
    </Link>
  );
}
