import { NotificationSettingsPage } from '@/features/notification/settings/NotificationSettingsPage';
import { useMemberSid } from '@/shared/api/session';

/** Which notifications the member wants, and when. */
export default function SettingsNotificationsRoute() {
  const memberSid = useMemberSid();
  return memberSid === null ? null : <NotificationSettingsPage memberSid={memberSid} />;
}
