import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { ContractPage } from '@/features/contract/ContractPage';
import { moneyPaths } from '@/shared/moneyPaths';
import { useBasicCash } from './useBasicCash';
import { useLeave } from './useLeave';

const ContractTradeCards = lazy(() =>
  import(/* webpackChunkName: "trade-cards" */ '@/features/learn/card/ContractTradeCards').then(({ ContractTradeCards: Loaded }) => ({ default: Loaded })),
);

/** One contract; `?close` opens it with the question to close it. */
export default function ContractRoute({ memberSid }: { memberSid: number }) {
  const { acno = '' } = useParams();
  const [search] = useSearchParams();
  const leave = useLeave(moneyPaths.contracts);
  return (
    <ContractPage
      key={acno}
      memberSid={memberSid}
      acno={acno}
      availableWon={useBasicCash(memberSid)}
      isClosing={search.has('close')}
      lesson={(closed) => (
        <Suspense fallback={null}>
          <ContractTradeCards memberSid={memberSid} acno={closed} />
        </Suspense>
      )}
      onLeave={leave}
    />
  );
}
