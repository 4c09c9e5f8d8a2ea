import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Equity } from '@/features/equity/Equity';
import { memberQuery } from '@/shared/api/memberQuery';
import { profitCopy } from '@/features/profit/copy';
import { choiceOf, daysOfRow, type ProfitChoice, searchOf } from '@/features/profit/profitChoice';
import { ProfitLoss } from '@/features/profit/ProfitLoss';
import { SeasonChoice } from '@/features/season/SeasonChoice';
import type { ProfitRow } from '@/shared/api/types';
import { contractHref, moneyPaths, salesHref } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

/** Profit and loss. The filter is in the address, so that back and reload preserve it. */
export default function ProfitLossRoute({ memberSid }: { memberSid: number }) {
  const [search, setSearch] = useSearchParams();
  const { data: member, isError } = useQuery(memberQuery(memberSid));
  const choice = choiceOf(search);
  return (
    <>
      <TopBar title={profitCopy.screen} backTo={paths.my} />
      <main id="main">
        <ProfitLoss
          memberSid={memberSid}
          competes={member?.competitionMode === true}
          choice={choice}
          onChoice={(next) => setSearch(searchOf(next), { replace: true })}
          seasons={<SeasonChoice memberSid={memberSid} season={choice.season} onChange={(season) => setSearch(searchOf({ ...choice, season }), { replace: true })} />}
          equity={
            member?.competitionMode !== true &&
            !isError &&
            choice.type === 'ALL' &&
            choice.period !== 'custom' && (
              <Equity memberSid={memberSid} period={choice.period} season={choice.season} isReady={member !== undefined} />
            )
          }
          hrefOf={(row) => hrefOf(row, choice)}
          browse={
            <ButtonLink to={lastInvestPath()} tone="neutral">
              {profitCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}

/** An item leads to its sales, a span to the items that were sold in it. */
function hrefOf(row: ProfitRow, choice: ProfitChoice): string | undefined {
  const search = searchOf(choice).toString();
  if (choice.groupBy === 'ITEM') {
    if (!row.code) return undefined;
    if (row.saleCount > 0) return salesHref(row.code, search);
    return isContract(row.code) ? contractHref(row.code) : undefined;
  }
  const { startDate, endDate } = daysOfRow(row.date, choice.groupBy);
  return `${moneyPaths.profitLoss}?${searchOf({ ...choice, groupBy: 'ITEM', period: 'custom', from: startDate, to: endDate }).toString()}`;
}

/** Whether it is the number of a deposit or a savings plan. */
function isContract(code: string): boolean {
  return /^\d{10}0[34]$/.test(code);
}
