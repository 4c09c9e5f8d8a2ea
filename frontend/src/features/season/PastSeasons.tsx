import type { PastSeason } from '@/shared/api/types';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { EntryRow } from '@/shared/ui/EntryRow';
import { GainText } from '@/shared/ui/GainText';
import { Section } from '@/shared/ui/Section';
import { seasonCopy } from './copy';

interface PastSeasonsProps {
  /** Latest first. */
  past: readonly PastSeason[];
  hrefOf: (season: number) => string;
}

/** What each season that has ended came to. */
export function PastSeasons({ past, hrefOf }: PastSeasonsProps) {
  return (
    <Section title={seasonCopy.past}>
      <ul>
        {past.map(({ season, startedAt, endedAt, total, base, profitRt }) => (
          <li key={season}>
            <EntryRow
              lead={null}
              name={seasonCopy.name(season)}
              detail={seasonCopy.days(dayOf(startedAt), dayOf(endedAt))}
              value={<Amount>{won(total)}</Amount>}
              note={<GainText won={total - base} percent={profitRt} />}
              to={hrefOf(season)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function dayOf(time: string): string {
  const at = parseServerTime(time);
  return at ? kstDate(at) : '';
}
