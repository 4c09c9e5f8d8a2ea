import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member, ShopItem } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { wearCopy } from './copy';
import { type Slot, wear, wornIn } from './itemApi';

const HELPER_ID = 'wear-helper';
/** An item that was bought just now is delivered within a second or so. */
const DELIVERY_TRIES = 5;
const DELIVERY_PAUSE_MS = 1_000;

interface WearProps {
  item: ShopItem & { slot: Slot };
  member: Member;
}

/** Wears an owned item, or takes it off. */
export function Wear({ item, member }: WearProps) {
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const isWorn = wornIn(member, item.slot) === item.image;
  const change = useMutation({
    mutationFn: (image: string | null) => wear(member.sid, item.slot, image),
    retry: (tries, error) => isUnderWay(error) && tries < DELIVERY_TRIES,
    retryDelay: DELIVERY_PAUSE_MS,
    onSuccess: (changed, image) => {
      queryClient.setQueryData(queryKeys.member(member.sid), changed);
      haptic('success');
      showSnackbar(image === null ? wearCopy.tookOff(item.name) : wearCopy.worn(item.name));
    },
    onError: () => haptic('error'),
  });
  const problem = change.error && !change.isPending ? (isUnderWay(change.error) ? wearCopy.underWay : wearCopy.failed) : null;
  return (
    <BottomCTA helper={isOnline ? problem : state.offlineBlocked} helperId={HELPER_ID}>
      <Button
        size="large"
        block
        tone={isWorn ? 'neutral' : 'primary'}
        disabled={!isOnline}
        busy={change.isPending}
        describedBy={HELPER_ID}
        onClick={() => change.mutate(isWorn ? null : item.image)}
      >
        {isWorn ? wearCopy.takeOff : wearCopy.wear}
      </Button>
    </BottomCTA>
  );
}

function isUnderWay(error: unknown): boolean {
  return error instanceof ApiProblem && error.reason === 'ITEM_NOT_OWNED';
}
