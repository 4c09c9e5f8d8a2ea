import { shownPct, unsignedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { Facts } from '@/shared/ui/Facts';
import { ToneText } from '@/shared/ui/ToneText';
import { rankCopy } from './copy';
import type { Entry } from './types';

/** What the competition account is worth. */
export function EntryFacts({ entry: { equity, returnRt } }: { entry: Entry }) {
  return (
    <Facts
      facts={[
        [rankCopy.equity, <Amount key="equity">{won(equity)}</Amount>],
        [rankCopy.returnRt, <ReturnText key="return" value={returnRt} />],
      ]}
    />
  );
}

/** A return in the colour of its direction; one that reads as 0 % is flat. */
export function ReturnText({ value }: { value: number }) {
  return <ToneText value={shownPct(value)}>{unsignedPct(value)}</ToneText>;
}
