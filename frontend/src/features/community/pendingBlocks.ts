import { create } from 'zustand';
import { onSessionChange } from '@/shared/api/session';

/** An undo still takes the block back, or it is on its way to the server and into what is loaded. */
type BlockStage = 'undoable' | 'sent';
type PendingBlocks = ReadonlyMap<number, BlockStage>;

const NONE: PendingBlocks = new Map();
const usePendingStore = create<{ blocks: PendingBlocks }>(() => ({ blocks: NONE }));
// They are those of one member.
onSessionChange(() => usePendingStore.setState({ blocks: NONE }));

/** Who was just blocked, by `userSid`. What they wrote is not shown, though it is still loaded. */
export const usePendingBlocks = (): PendingBlocks => usePendingStore(({ blocks }) => blocks);

/** Null when the block was taken back, or what is loaded knows of it. */
export function setPendingBlock(userSid: number, stage: BlockStage | null): void {
  usePendingStore.setState(({ blocks }) => {
    const next = new Map(blocks);
    if (stage === null) next.delete(userSid);
    else next.set(userSid, stage);
    return { blocks: next };
  });
}
