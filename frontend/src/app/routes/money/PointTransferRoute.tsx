import { useNavigate } from 'react-router';
import { pointCopy, pointHistoryCopy } from '@/features/point/copy';
import { PointTransfer } from '@/features/point/PointTransfer';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { ReceiptIcon } from '@/shared/ui/laterIcons';
import { TopBarButton } from '@/shared/ui/TopBar';
import { useLeave } from './useLeave';

export default function PointTransferRoute({ memberSid }: { memberSid: number }) {
  const navigate = useNavigate();
  const leave = useLeave(paths.my);
  return (
    <PointTransfer
      memberSid={memberSid}
      backTo={paths.my}
      earn={<ButtonLink to={paths.learn}>{pointCopy.quiz}</ButtonLink>}
      actions={
        <TopBarButton label={pointHistoryCopy.screen} onClick={() => void navigate(moneyPaths.pointHistory)}>
          <ReceiptIcon />
        </TopBarButton>
      }
      onClose={leave}
      onSeeHistory={() => void navigate(moneyPaths.pointHistory, { replace: true })}
    />
  );
}
