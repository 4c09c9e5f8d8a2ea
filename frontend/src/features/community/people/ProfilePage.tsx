import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { putFollow } from '@/features/community/peopleApi';
import { communityPaths } from '@/features/community/communityPaths';
import { own } from '@/features/community/queryParts';
import { memberInfoQuery } from '@/features/community/peopleQueries';
import { postCopy } from '@/features/community/copy';
import { moderationCopy } from '@/features/community/copy.moderation';
import { peopleCopy } from '@/features/community/copy.people';
import { Badge } from '@/features/community/Author';
import { messageOf } from '@/features/community/messageOf';
import { Moderation } from '@/features/community/Moderation';
import { PopupMenu } from '@/features/community/PopupMenu';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import type { MemberInfo } from '@/features/community/types';
import { useUnblock } from '@/features/community/useUnblock';
import { isProblem } from '@/shared/api/apiProblem';
import { state } from '@/shared/copy/copy.shared';
import { unitless } from '@/shared/format/number';
import { Avatar } from '@/shared/ui/Avatar';
import { Button } from '@/shared/ui/Button';
import { Bone } from '@/shared/ui/Skeleton';
import { showSnackbar, takeSnackbarAction } from '@/shared/ui/snackbarStore';
import { EmptyState, ErrorState, useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import { MissingState } from '@/shared/ui/MissingState';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import { ActivityTabs } from './ActivityTabs';
import styles from './People.module.css';

const TYPES = ['POST', 'COMMENT'] as const;

/** Another member: how they are known here, and what they wrote. */
export function ProfilePage({ memberSid, userSid }: { memberSid: number; userSid: number }) {
  const { data, error, refetch } = useQuery(memberInfoQuery(memberSid, userSid));
  const wasJustBlocked = useRecentBlocks().has(userSid);
  const info = data && { ...data, isBlocked: data.isBlocked || wasJustBlocked };
  return (
    <>
      <TopBar title={info?.nickname ?? peopleCopy.profile} backTo={communityPaths.home} actions={info && <ProfileMenu memberSid={memberSid} info={info} />} />
      <main id="main">
        {info && <Known memberSid={memberSid} info={info} />}
        {!info && (error ? <Failure error={error} onRetry={() => void refetch()} /> : <HeaderSkeleton />)}
      </main>
    </>
  );
}

function Known({ memberSid, info }: { memberSid: number; info: MemberInfo }) {
  return (
    <>
      <Header info={info} />
      {info.isBlocked ? (
        <Blocked memberSid={memberSid} info={info} />
      ) : (
        <>
          <Follow memberSid={memberSid} info={info} />
          <ActivityTabs memberSid={memberSid} userSid={info.userSid} types={TYPES} />
        </>
      )}
    </>
  );
}

function Header({ info }: { info: MemberInfo }) {
  const { posts, comments, likes } = peopleCopy.stats;
  const [year, month] = info.joinedMonth?.split('-') ?? [];
  return (
    <div className={styles.header}>
      <div className={styles.who}>
        <Framed image={info.frame}>
          <Avatar name={info.nickname} size={52} />
        </Framed>
        <div className={styles.whoText}>
          <div className={styles.nameLine}>
            <p className={styles.nickname}>{info.nickname}</p>
            <Badge level={info.level} isOperator={false} />
            <NamePlate image={info.plate} />
          </div>
          {year !== undefined && month !== undefined && <p className={styles.meta}>{peopleCopy.joined(year, String(Number(month)))}</p>}
        </div>
      </div>
      <dl className={styles.stats}>
        <Stat name={posts} value={info.postCount} />
        <Stat name={comments} value={info.commentCount} />
        <Stat name={likes} value={info.receivedLikes} />
      </dl>
    </div>
  );
}

function Stat({ name, value }: { name: string; value: number }) {
  return (
    <div className={styles.stat}>
      <dt>{name}</dt>
      <dd>{unitless(value)}</dd>
    </div>
  );
}

/** Following is nobody else's affair: there is no count of followers. */
function Follow({ memberSid, info: { userSid, isFollowed } }: { memberSid: number; info: MemberInfo }) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const follow = useMutation({
    mutationFn: (on: boolean) => putFollow(memberSid, userSid, on),
    onSuccess: (relation) => {
      queryClient.setQueryData<MemberInfo>(memberInfoQuery(memberSid, userSid).queryKey, (info) => info && { ...info, isFollowed: relation.isFollowed });
      void queryClient.invalidateQueries({ queryKey: [...own(memberSid), 'feed'] });
    },
    onError: (problem) => showSnackbar(messageOf(problem, peopleCopy.followFailed)),
  });
  const toggle = () => {
    if (!isOnline) showSnackbar(state.offlineBlocked);
    else if (!follow.isPending) follow.mutate(!isFollowed);
  };
  return (
    <div className={styles.follow}>
      <button type="button" className={styles.followButton} aria-pressed={isFollowed} aria-busy={follow.isPending} onClick={toggle}>
        {isFollowed ? peopleCopy.following : peopleCopy.follow}
      </button>
    </div>
  );
}

function Blocked({ memberSid, info: { userSid, nickname } }: { memberSid: number; info: MemberInfo }) {
  const unblock = useUnblock(memberSid);
  const stage = useRecentBlocks().get(userSid);
  const letBack = () => {
    // Its message is still shown, and nothing was sent.
    if (stage === 'undoable') takeSnackbarAction();
    else unblock.mutate({ userSid, nickname });
  };
  const action = (
    <Button tone="neutral" busy={unblock.isPending || stage === 'sent'} onClick={letBack}>
      {moderationCopy.unblock}
    </Button>
  );
  return <EmptyState title={peopleCopy.blocked} action={action} />;
}

function ProfileMenu({ memberSid, info: { userSid, nickname, isBlocked } }: { memberSid: number; info: MemberInfo }) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  return (
    <>
      {!isBlocked && <PopupMenu label={peopleCopy.menu(nickname)} items={[{ label: postCopy.block, onSelect: () => setOpen(true) }]} />}
      {wasOpened && <Moderation memberSid={memberSid} step={isOpen ? 'block' : null} target={null} author={{ userSid, nickname }} onClose={() => setOpen(false)} />}
    </>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isProblem(error, 'MEMBER_NOT_FOUND')) return <ErrorState error={error} onRetry={onRetry} />;
  return <MissingState title={peopleCopy.missing} to={communityPaths.home} />;
}

function HeaderSkeleton() {
  return (
    <div className={styles.header} aria-busy="true">
      <div className={styles.who} aria-hidden="true">
        <Bone width={52} height={52} radius={26} />
        <Bone width={120} height={24} />
      </div>
    </div>
  );
}
