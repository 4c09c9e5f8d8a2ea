import { InboxPage } from '@/features/notification/inbox/InboxPage';
import { useMemberSid } from '@/shared/api/session';

/** What happened to the member's orders, posts and lessons. */
export default function NotificationsRoute() {
  const memberSid = useMemberSid();
  return memberSid === null ? null : <InboxPage memberSid={memberSid} />;
}
