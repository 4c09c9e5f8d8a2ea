import { Dialog } from '@/shared/ui/Dialog';
import { postCopy } from './copy';
import { moderationCopy } from './copy.moderation';
import { ReportSheet } from './ReportSheet';
import type { ReportBody } from './types';
import { useBlock } from './useBlock';

export type ModerationStep = 'report' | 'block';

interface ModerationProps {
  memberSid: number;
  step: ModerationStep | null;
  /** The text that is reported; null for a person. */
  target: Pick<ReportBody, 'kind' | 'sid'> | null;
  author: { userSid: number; nickname: string };
  onClose: () => void;
  /** Called after blocking, when the text is no longer there for the member. */
  onBlocked?: (() => void) | undefined;
}

/** The steps behind 신고하기 and 차단하기. */
export function Moderation({ memberSid, step, target, author, onClose, onBlocked }: ModerationProps) {
  const block = useBlock(memberSid, () => {
    onClose();
    onBlocked?.();
  });
  return (
    <>
      {target && <ReportSheet open={step === 'report'} memberSid={memberSid} target={target} onClose={onClose} />}
      <Dialog
        open={step === 'block'}
        title={moderationCopy.blockTitle(author.nickname)}
        body={moderationCopy.blockBody}
        onClose={onClose}
        confirm={{ label: postCopy.block, tone: 'danger', busy: block.isPending, onClick: () => block.mutate({ ...author, on: true }) }}
      />
    </>
  );
}
