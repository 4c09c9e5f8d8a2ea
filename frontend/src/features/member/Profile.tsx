import { useQuery } from '@tanstack/react-query';
import { Avatar } from '@/shared/ui/Avatar';
import { LevelBadge } from '@/shared/ui/LevelBadge';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import { memberQuery } from '@/shared/api/memberQuery';
import styles from './My.module.css';

export function Profile({ memberSid }: { memberSid: number }) {
  const member = useQuery(memberQuery(memberSid));
  if (member.isError && !member.data) return <ErrorState error={member.error} onRetry={() => void member.refetch()} />;
  return (
    <div className={styles.profile} aria-busy={member.isPending}>
      {member.data ? (
        <>
          <Framed image={member.data.frame}>
            <Avatar name={member.data.nickname} size={52} />
          </Framed>
          <div className={styles.who}>
            <div className={styles.nameLine}>
              <p className={styles.nickname}>{member.data.nickname}</p>
              <NamePlate image={member.data.plate} />
              {member.data.operator && <LevelBadge level="operator" />}
            </div>
            <p className={styles.email}>{member.data.email}</p>
          </div>
        </>
      ) : (
        <>
          <Bone width={52} height={52} radius={26} />
          <div className={styles.who}>
            <Bone width={96} height={24} />
          </div>
        </>
      )}
    </div>
  );
}
