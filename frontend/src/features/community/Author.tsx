import { useState } from 'react';
import { Link } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { edited, rel } from '@/shared/format/rel';
import { Avatar } from '@/shared/ui/Avatar';
import { LevelBadge, LevelNumberBadge } from '@/shared/ui/LevelBadge';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import styles from './Community.module.css';
import { communityPaths, NOBODY, profileHref } from './communityPaths';

export interface Written {
  userSid: number;
  nickname: string;
  level?: number | null;
  frame?: string | null;
  plate?: string | null;
  isOperator: boolean;
  regDate: string;
  modDate?: string | null;
}

interface AuthorProps {
  of: Written;
  /** The id of the heading, which names the text; it takes the focus when another text is deleted. */
  id: string;
  heading: 'h2' | 'h3' | 'h4';
  size?: number;
}

/** Who wrote a text, and when. The operator has no profile, and neither has who left for good. */
export function Author({ of, id, heading: Heading, size = 40 }: AuthorProps) {
  return (
    <div className={styles.author}>
      <Framed image={of.frame}>
        <Avatar name={of.nickname} size={size} />
      </Framed>
      <div className={styles.authorText}>
        <div className={styles.nameLine}>
          <Heading id={id} tabIndex={-1} className={styles.nickname}>
            <ProfileLink of={of} />
          </Heading>
          <Badge level={of.level} isOperator={of.isOperator} />
          <NamePlate image={of.plate} />
        </div>
        <WrittenAt of={of} />
      </div>
    </div>
  );
}

function ProfileLink({ of: { userSid, nickname, isOperator } }: { of: Written }) {
  const isOneself = useMemberSid() === userSid;
  if (isOperator || userSid === NOBODY) return nickname;
  return (
    <Link to={isOneself ? communityPaths.mine : profileHref(userSid)} className={styles.profileLink}>
      {nickname}
    </Link>
  );
}

/** The wealth level as a badge; none while it is unknown. */
export function Badge({ level, isOperator }: { level: number | null | undefined; isOperator: boolean }) {
  return isOperator ? <LevelBadge level="operator" /> : <LevelNumberBadge number={level} />;
}

function WrittenAt({ of: { regDate, modDate } }: { of: Written }) {
  const [now] = useState(() => new Date());
  const at = parseServerTime(regDate);
  if (!at) return null;
  const mark = edited(parseServerTime(modDate), now);
  return (
    <p className={styles.meta}>
      <time dateTime={at.toISOString()} title={kstDateTime(at)}>
        {rel(at, now)}
      </time>
      {mark && ` ${mark}`}
    </p>
  );
}
