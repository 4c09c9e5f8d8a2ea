import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { memberQuery } from '@/shared/api/memberQuery';
import { showReceipt } from '@/features/order/history/receiptStore';
import { profitCopy } from '@/features/profit/copy';
import { choiceOf, searchOf, spanOf } from '@/features/profit/profitChoice';
import { Sales } from '@/features/profit/Sales';
import { moneyPaths } from '@/shared/moneyPaths';
import { TopBar } from '@/shared/ui/TopBar';

/** The sales of one instrument in the span of the list that led here. */
export default function ProfitSalesRoute({ memberSid }: { memberSid: number }) {
  const { code = '' } = useParams();
  const [search] = useSearchParams();
  const { data: member } = useQuery(memberQuery(memberSid));
  const [now] = useState(() => new Date());
  const choice = choiceOf(search);
  return (
    <>
      <TopBar title={profitCopy.saleList} backTo={`${moneyPaths.profitLoss}?${searchOf(choice).toString()}`} />
      <main id="main">
        <Sales
          memberSid={memberSid}
          competes={member?.competitionMode === true}
          code={code}
          span={spanOf(choice, now) ?? 'ALL'}
          season={choice.season}
          onReceipt={showReceipt}
        />
      </main>
    </>
  );
}
