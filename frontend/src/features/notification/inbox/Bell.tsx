import { Link } from 'react-router';
import { useUnread } from '@/shared/api/unread';
import { nav } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { inboxCopy } from '@/features/notification/copy.inbox';
import { BellIcon } from '@/features/notification/icons';
import styles from './Bell.module.css';

/** The way to the notifications in a top bar, with how many are unread. */
export function Bell() {
  const unread = useUnread();
  return (
    <Link to={paths.notifications} className={styles.bell}>
      <BellIcon />
      <span className="sr-only">{unread > 0 ? `${inboxCopy.screen}, ${nav.unread(unread)}` : inboxCopy.screen}</span>
      {unread > 0 && (
        <span aria-hidden="true" className={styles.count}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  );
}
