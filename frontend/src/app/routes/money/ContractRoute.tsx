import { useParams, useSearchParams } from 'react-router';
import { ContractPage } from '@/features/contract/ContractPage';
import { moneyPaths } from '@/shared/moneyPaths';
import { useBasicCash } from './useBasicCash';
import { useLeave } from './useLeave';

/** One contract; `?close` opens it with the question to close it. */
export default function ContractRoute({ memberSid }: { memberSid: number }) {
  const { acno = '' } = useParams();
  const [search] = useSearchParams();
  const leave = useLeave(moneyPaths.contracts);
  return (
    <ContractPage key={acno} memberSid={memberSid} acno={acno} availableWon={useBasicCash(memberSid)} isClosing={search.has('close')} onLeave={leave} />
  );
}
