import { AboutApp } from '@/features/member/AboutApp';
import { AccountLinks } from '@/features/member/AccountLinks';
import { settingsCopy } from '@/features/member/copy';
import { DeviceSettings } from '@/features/member/DeviceSettings';
import { Group } from '@/features/member/LinkGroup';
import { Profile } from '@/features/member/Profile';
import { LogoutRow } from '@/features/session/LogoutRow';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** The settings of the account and of this device. */
export default function SettingsRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={settingsCopy.screen} backTo={paths.my} />
      <main id="main">
        <Profile memberSid={memberSid} />
        <Group title={settingsCopy.account}>
          <AccountLinks memberSid={memberSid} />
        </Group>
        <Group title={settingsCopy.device}>
          <DeviceSettings />
        </Group>
        <Group title={settingsCopy.about}>
          <AboutApp />
          <LogoutRow />
        </Group>
      </main>
    </>
  );
}
