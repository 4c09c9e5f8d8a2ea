import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member, ShopItem } from '@/shared/api/types';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
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

/** Wears an item that the member owns, or with null takes off what is worn in its slot. */
export function useWear(item: ShopItem & { slot: Slot }, memberSid: number, onChanged?: () => void) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (image: string | null) => wear(memberSid, item.slot, image),
    retry: (tries, error) => isUnderWay(error) && tries < DELIVERY_TRIES,
    retryDelay: DELIVERY_PAUSE_MS,
    onSuccess: (changed, image) => {
      queryClient.setQueryData(queryKeys.member(memberSid), changed);
      haptic('success');
      showSnackbar(image === null ? wearCopy.tookOff(item.name) : wearCopy.worn(item.name));
      onChanged?.();
    },
    onError: () => haptic('error'),
  });
  return { change: useSingleFlight(mutation.mutate), error: mutation.error, isPending: mutation.isPending };
}

/** Why an item could not be worn. */
export function wearProblem(error: unknown): string {
  return isUnderWay(error) ? wearCopy.underWay : wearCopy.failed;
}

interface WearProps {
  item: ShopItem & { slot: Slot };
  member: Member;
}

/** Wears an owned item, or takes it off. */
export function Wear({ item, member }: WearProps) {
  const isOnline = useIsOnline();
  const isWorn = wornIn(member, item.slot) === item.image;
  const { change, error, isPending } = useWear(item, member.sid);
  const problem = error && !isPending ? wearProblem(error) : null;
  return (
    <BottomCTA helper={isOnline ? problem : state.offlineBlocked} helperId={HELPER_ID}>
      <Button
        size="large"
        block
        tone={isWorn ? 'neutral' : 'primary'}
        disabled={!isOnline}
        busy={isPending}
        describedBy={HELPER_ID}
        onClick={() => change(isWorn ? null : item.image)}
      >
        {isWorn ? wearCopy.takeOff : wearCopy.wear}
      </Button>
    </BottomCTA>
  );
}

function isUnderWay(error: unknown): boolean {
  return error instanceof ApiProblem && error.reason === 'ITEM_NOT_OWNED';
}
