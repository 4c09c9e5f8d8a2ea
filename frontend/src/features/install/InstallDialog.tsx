import { useState } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { given } from '@/shared/copy/copy.given';
import { Button } from '@/shared/ui/Button';
import { BlockingDialog } from '@/shared/ui/BlockingDialog';
import { installCopy } from './copy';

interface InstallDialogProps {
  /** False when the browser cannot install by itself; the dialog then explains how to do it by hand. */
  onInstall: () => boolean;
  onStay: () => void;
  onClose: () => void;
}

/** Offers the app. Only its buttons close it, and both are equally easy to press. */
export function InstallDialog({ onInstall, onStay, onClose }: InstallDialogProps) {
  const [isByHand, setByHand] = useState(false);
  return (
    <BlockingDialog
      picture={<img src="/icon.svg" alt="" width={56} height={56} />}
      title={isByHand ? installCopy.howTitle : installCopy.title}
      body={isByHand ? installCopy.howBody : installCopy.body}
      actions={
        isByHand ? (
          <Button size="large" block onClick={onClose}>
            {action.confirm}
          </Button>
        ) : (
          <>
            <Button
              size="large"
              block
              onClick={() => {
                if (onInstall()) onClose();
                else setByHand(true);
              }}
            >
              {given.installApp}
            </Button>
            <Button tone="neutral" size="large" block onClick={onStay}>
              {given.stayOnWeb}
            </Button>
          </>
        )
      }
    />
  );
}
