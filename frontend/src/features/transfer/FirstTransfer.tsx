import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '@/shared/api/queryKeys';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import { transferCopy } from './copy';
import styles from './Transfer.module.css';
import { seeTransferPopup } from './transferApi';

/** What accounts are for, before the first transfer. Marking it as seen may fail; then it is shown once more. */
export function FirstTransfer({ memberSid }: { memberSid: number }) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(true);
  const acceptsTaps = useAcceptsTaps(isOpen);
  const see = useMutation({
    mutationFn: () => seeTransferPopup(memberSid),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [...queryKeys.account(memberSid), 'points'] }),
  });
  const close = () => {
    setOpen(false);
    see.mutate();
  };
  return (
    <Sheet
      open={isOpen}
      title={transferCopy.firstTitle}
      onClose={close}
      footer={
        <Button size="large" block resting={!acceptsTaps} onClick={close}>
          {transferCopy.firstOk}
        </Button>
      }
    >
      <ul className={styles.first}>
        {transferCopy.first.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Sheet>
  );
}
