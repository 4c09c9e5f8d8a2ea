import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { pointsQuery } from '@/features/point/pointApi';
import { FirstTransfer } from '@/features/transfer/FirstTransfer';
import { Transfer } from '@/features/transfer/Transfer';
import { BASIC_ACCOUNT } from '@/shared/api/accountCodes';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { useLeave } from './useLeave';

/** A transfer, with accounts chosen by the address: /my/transfer?from=00&to=01. */
export default function TransferRoute({ memberSid }: { memberSid: number }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const leave = useLeave(paths.account);
  const { data: points } = useQuery(pointsQuery(memberSid));
  return (
    <>
      <Transfer
        memberSid={memberSid}
        from={accountIn(search.get('from')) ?? BASIC_ACCOUNT}
        to={accountIn(search.get('to'))}
        backTo={paths.account}
        onClose={leave}
        onSeeHistory={() => void navigate(moneyPaths.transferHistory, { replace: true })}
      />
      {points?.popup === false && <FirstTransfer memberSid={memberSid} />}
    </>
  );
}

/** An account number or code; null for anything else. */
function accountIn(text: string | null): string | null {
  return text !== null && /^\d{2}(\d{10})?$/.test(text) ? text : null;
}
