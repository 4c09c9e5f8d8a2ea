import { useQuery } from '@tanstack/react-query';
import { paths } from '@/shared/paths';
import { settingsCopy } from './copy';
import { LinkRow } from './LinkGroup';
import { memberQuery } from '@/shared/api/memberQuery';

/** Links to the account settings, with their state once it is loaded. */
export function AccountLinks({ memberSid }: { memberSid: number }) {
  const { data } = useQuery(memberQuery(memberSid));
  return (
    <>
      <LinkRow to={paths.settingsProfile}>{settingsCopy.profile}</LinkRow>
      <LinkRow to={paths.settingsPassword}>{settingsCopy.password}</LinkRow>
      <LinkRow to={paths.settingsEmail} value={data && (data.emailVerified ? settingsCopy.verified : settingsCopy.notVerified)}>
        {settingsCopy.email}
      </LinkRow>
      <LinkRow to={paths.settingsNotifications}>{settingsCopy.notifications}</LinkRow>
    </>
  );
}
