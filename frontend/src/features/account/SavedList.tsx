import type { Account } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { contractHref, moneyPaths } from '@/shared/moneyPaths';
import { Amount } from '@/shared/ui/Amount';
import { Avatar } from '@/shared/ui/Avatar';
import { EntryRow } from '@/shared/ui/EntryRow';
import { GainText } from '@/shared/ui/GainText';
import { Section } from '@/shared/ui/Section';
import { valueSaved } from './accountKinds';
import { holdingsCopy } from './copy';

/** The member's deposits and savings at what they would be worth if they were closed today, before tax. */
export function SavedList({ contracts }: { contracts: readonly Account[] }) {
  return (
    <Section title={holdingsCopy.saved} all={moneyPaths.contracts}>
      <ul>
        {contracts.map((contract) => {
          const { valueWon, profitWon, profitPercent } = valueSaved(contract);
          return (
            <li key={contract.acno}>
              <EntryRow
                to={contractHref(contract.acno)}
                lead={<Avatar name={contract.actNm} />}
                name={contract.actNm}
                detail={contract.actTcd === '04' ? holdingsCopy.savings : holdingsCopy.deposit}
                value={<Amount>{won(valueWon)}</Amount>}
                note={<GainText won={profitWon} percent={profitPercent} />}
              />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
