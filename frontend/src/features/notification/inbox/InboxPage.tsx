import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { inboxCopy } from '@/features/notification/copy.inbox';
import { unreadQuery } from '@/features/notification/notificationQueries';
import { NOTIFICATION_TYPES, type NotificationType, type UnreadCount } from '@/features/notification/notificationTypes';
import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { Button } from '@/shared/ui/Button';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { PushCard } from '@/features/notification/PushCard';
import { InboxList } from './InboxList';
import { useRead } from './useRead';
import styles from './Inbox.module.css';

const FILTERS = ['ALL', ...NOTIFICATION_TYPES] as const;
type Filter = (typeof FILTERS)[number];

const REASON_ID = 'read-all-reason';

/** The notifications of the last 90 days. The filter is in the address. */
export function InboxPage({ memberSid }: { memberSid: number }) {
  const [params, setParams] = useSearchParams();
  const { data: count } = useQuery(unreadQuery(memberSid));
  const isOnline = useIsOnline();
  const read = useRead(memberSid);
  const filter = FILTERS.find((known) => known === params.get('type')) ?? 'ALL';
  const choose = (chosen: Filter) => setParams(chosen === 'ALL' ? {} : { type: chosen }, { replace: true });
  return (
    <>
      <TopBar
        title={inboxCopy.screen}
        backTo={paths.my}
        actions={
          <Link to={paths.settingsNotifications} className={styles.settings}>
            {inboxCopy.settings}
          </Link>
        }
      />
      <main id="main">
        <ChoiceChips label={inboxCopy.filter} values={FILTERS} names={namesOf(count)} value={filter} onChange={choose} />
        <PushCard memberSid={memberSid} />
        {count !== undefined && count.unread > 0 && (
          <div className={styles.all}>
            <Button tone="text" busy={read.isPending && read.variables === 'all'} disabled={!isOnline} describedBy={isOnline ? undefined : REASON_ID} onClick={() => read.mutate('all')}>
              {inboxCopy.readAll}
            </Button>
            {!isOnline && (
              <p id={REASON_ID} className={styles.reason}>
                {state.offlineBlocked}
              </p>
            )}
          </div>
        )}
        <InboxList
          key={filter}
          memberSid={memberSid}
          type={filter === 'ALL' ? null : filter}
          onOpen={({ sid, isRead }) => {
            if (!isRead) read.mutate([sid]);
          }}
        />
      </main>
    </>
  );
}

function namesOf(count: UnreadCount | undefined): Record<Filter, string> {
  const names: Record<Filter, string> = { ALL: inboxCopy.all, ...inboxCopy.type };
  for (const { type, unread } of count?.byType ?? []) {
    if (unread > 0 && isKnown(type)) names[type] = inboxCopy.withUnread(inboxCopy.type[type], unread);
  }
  return names;
}

/** A newer server may know further types. */
function isKnown(type: string): type is NotificationType {
  return type in inboxCopy.type;
}
