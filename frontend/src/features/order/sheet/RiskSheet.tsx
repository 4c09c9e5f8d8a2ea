import { warningName } from '@/shared/format/codes';
import { action } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { AlertIcon } from '@/shared/ui/icons';
import { Sheet } from '@/shared/ui/Sheet';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import { riskCopy } from '@/features/order/copy.risk';
import styles from './ConfirmSheet.module.css';

interface RiskSheetProps {
  open: boolean;
  name: string;
  warnCode: string;
  onAccept: () => void;
  onClose: () => void;
}

/** Explains the warning of an instrument and asks for consent before the confirmation. */
export default function RiskSheet({ open, name, warnCode, onAccept, onClose }: RiskSheetProps) {
  const acceptsTaps = useAcceptsTaps(open);
  return (
    <Sheet
      open={open}
      title={riskCopy.title(warningName(warnCode))}
      onClose={onClose}
      footer={
        // Two rows above the edge: clear of the button that opened this and of the confirmation's own button.
        <div className={styles.choices}>
          <Button tone="danger" size="large" block resting={!acceptsTaps} onClick={onAccept}>
            {riskCopy.accept}
          </Button>
          <p className={styles.next}>{riskCopy.next}</p>
          <Button tone="neutral" size="large" block resting={!acceptsTaps} onClick={onClose}>
            {action.close}
          </Button>
        </div>
      }
    >
      <p className={styles.warning}>
        <AlertIcon size={24} />
        {riskCopy.about(name)}
      </p>
      <ul className={styles.reasons}>
        {riskCopy.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Sheet>
  );
}
