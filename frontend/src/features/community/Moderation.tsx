import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '@/shared/ui/Dialog';
import { blockAuthor } from './blockAuthor';
import { postCopy } from './copy';
import { moderationCopy } from './copy.moderation';
import { ReportSheet } from './ReportSheet';
import type { ReportBody } from './types';

export type ModerationStep = 'report' | 'block';

interface ModerationProps {
  memberSid: number;
  step: ModerationStep | null;
  /** The text that is reported; null for a person. */
  target: Pick<ReportBody, 'kind' | 'sid'> | null;
  author: { userSid: number; nickname: string };
  onClose: () => void;
  /** Called with the block: the text is no longer there for the member, unless they undo it. */
  onBlocked?: (() => void) | undefined;
}

/** The steps behind 신고하기 and 차단하기. */
export function Moderation({ memberSid, step, target, author, onClose, onBlocked }: ModerationProps) {
  const queryClient = useQueryClient();
  const block = () => {
    onClose();
    blockAuthor(queryClient, memberSid, author);
    onBlocked?.();
  };
  return (
    <>
      {target && <ReportSheet open={step === 'report'} memberSid={memberSid} target={target} onClose={onClose} />}
      <Dialog
        open={step === 'block'}
        title={moderationCopy.blockTitle(author.nickname)}
        body={moderationCopy.blockBody}
        onClose={onClose}
        confirm={{ label: postCopy.block, tone: 'danger', onClick: block }}
      />
    </>
  );
}
