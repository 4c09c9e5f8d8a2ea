import { useQuery } from '@tanstack/react-query';
import { settingsCopy } from '@/features/notification/copy.settings';
import { settingsQuery } from '@/features/notification/notificationQueries';
import type { NotificationSettings, NotificationType } from '@/features/notification/notificationTypes';
import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { Switch } from '@/shared/ui/Switch';
import { TopBar } from '@/shared/ui/TopBar';
import { PushCard } from '@/features/notification/PushCard';
import { ChannelGroup } from './ChannelGroup';
import { QuietHours } from './QuietHours';
import { useChangeSettings } from './useChangeSettings';
import styles from './Settings.module.css';

const GROUPS = {
  invest: ['FILL', 'PARTIAL', 'ORDER_ENDED', 'PRICE', 'MATURITY', 'AUTOPAY_MISSED'],
  community: ['COMMENT', 'REPLY', 'LIKE', 'REPORT'],
  learn: ['STREAK'],
  competition: ['COMPETITION'],
  notice: ['NOTICE'],
} as const satisfies Record<keyof typeof settingsCopy.groups, readonly NotificationType[]>;
const GROUP_NAMES = ['invest', 'community', 'learn', 'competition', 'notice'] as const satisfies readonly (keyof typeof GROUPS)[];

const SKELETON_ROWS = 8;
const BLOCKED_ID = 'notification-settings-blocked';
const DIGEST_NOTE_ID = 'digest-note';

/** What the member wants to hear of, where, and when. */
export function NotificationSettingsPage({ memberSid }: { memberSid: number }) {
  const settings = useQuery(settingsQuery(memberSid));
  return (
    <>
      <TopBar title={settingsCopy.screen} backTo={paths.settings} />
      <main id="main">
        <PushCard memberSid={memberSid} isSetting />
        {settings.data ? (
          <Settings memberSid={memberSid} settings={settings.data} />
        ) : settings.error ? (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <RowsSkeleton rows={SKELETON_ROWS} />
        )}
      </main>
    </>
  );
}

function Settings({ memberSid, settings }: { memberSid: number; settings: NotificationSettings }) {
  const change = useChangeSettings(memberSid);
  const isOnline = useIsOnline();
  const describedBy = isOnline ? undefined : BLOCKED_ID;
  return (
    <>
      {!isOnline && (
        <p id={BLOCKED_ID} className={styles.note}>
          {state.offlineBlocked}
        </p>
      )}
      {GROUP_NAMES.map((name) => (
        <ChannelGroup
          key={name}
          title={settingsCopy.groups[name]}
          types={settings.types.filter(({ type }) => GROUPS[name].some((known) => known === type))}
          isDisabled={!isOnline}
          describedBy={describedBy}
          onChange={(channels) => change({ types: [channels] })}
        />
      ))}
      <section className={styles.group}>
        <div className={styles.head}>
          <h2 className={styles.title}>{settingsCopy.when}</h2>
        </div>
        <QuietHours quiet={settings.quiet} isDisabled={!isOnline} onChange={(quiet) => change({ quiet })} />
        <Switch label={settingsCopy.digest} isOn={settings.digest} isDisabled={!isOnline} describedBy={DIGEST_NOTE_ID} onChange={(digest) => change({ digest })} />
        <p id={DIGEST_NOTE_ID} className={styles.note}>
          {settingsCopy.digestNote}
        </p>
      </section>
    </>
  );
}
