import { useState } from 'react';
import { decisionCopy } from '@/features/community/copy.decisions';
import { moderationCopy } from '@/features/community/copy.moderation';
import { peopleCopy } from '@/features/community/copy.people';
import { paths } from '@/shared/paths';
import { Button } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import { ActivityTabs } from './ActivityTabs';
import { BlockedSheet } from './BlockedSheet';
import styles from './People.module.css';
import { ReportsSheet } from './ReportsSheet';

const TYPES = ['POST', 'COMMENT', 'LIKE'] as const;

/** What the member wrote and liked, and whom they blocked. */
export function MyPostsPage({ memberSid }: { memberSid: number }) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  const [areReportsOpen, setReportsOpen] = useState(false);
  const wereReportsOpened = useWasOpened(areReportsOpen);
  return (
    <>
      <TopBar title={peopleCopy.mine} backTo={paths.my} />
      <main id="main">
        <ActivityTabs memberSid={memberSid} userSid={memberSid} types={TYPES} />
        <div className={styles.blocked}>
          <Button tone="text" onClick={() => setOpen(true)}>
            {moderationCopy.blockedMembers}
          </Button>
          <Button tone="text" onClick={() => setReportsOpen(true)}>
            {decisionCopy.reports}
          </Button>
        </div>
      </main>
      {wasOpened && <BlockedSheet memberSid={memberSid} open={isOpen} onClose={() => setOpen(false)} />}
      {wereReportsOpened && <ReportsSheet memberSid={memberSid} open={areReportsOpen} onClose={() => setReportsOpen(false)} />}
    </>
  );
}
