import { create } from 'zustand';
import { onSessionChange } from '@/shared/api/session';

/** An undo still takes the block back, it is on its way to the server, or the server has it. */
type BlockStage = 'undoable' | 'sent' | 'blocked';
type RecentBlocks = ReadonlyMap<number, BlockStage>;

const NONE: RecentBlocks = new Map();
const useBlocksStore = create<{ blocks: RecentBlocks }>(() => ({ blocks: NONE }));
// They are those of one member.
onSessionChange(() => useBlocksStore.setState({ blocks: NONE }));

/**
 * Whom the member has blocked since this page was loaded, by `userSid`. What they wrote is not shown: lists from before the block
 * still have it, and stay where they are not shown or cannot be loaded again.
 */
export const useRecentBlocks = (): RecentBlocks => useBlocksStore(({ blocks }) => blocks);

/** Null when the block was taken back or has failed. */
export function setRecentBlock(userSid: number, stage: BlockStage | null): void {
  useBlocksStore.setState(({ blocks }) => {
    const next = new Map(blocks);
    if (stage === null) next.delete(userSid);
    else next.set(userSid, stage);
    return { blocks: next };
  });
}
