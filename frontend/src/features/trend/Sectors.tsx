import { useState } from 'react';
import type { Sector } from '@/shared/api/types';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { tone } from '@/shared/format/tone';
import { Button } from '@/shared/ui/Button';
import { Section } from '@/shared/ui/Section';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import styles from './Trend.module.css';

const SHOWN_AT_FIRST = 8;

/** The sectors of a market, best first. */
export function Sectors({ sectors }: { sectors: readonly Sector[] }) {
  const [isWhole, setWhole] = useState(false);
  if (sectors.length === 0) return null;
  return (
    <Section title={trendCopy.sectors}>
      <ul className={styles.sectors}>
        {sectors.slice(0, isWhole ? undefined : SHOWN_AT_FIRST).map(({ code, name, rate }) => (
          <li key={code} className={`${styles.sector} ${styles[`${tone(shownPct(rate))}Tile`]}`}>
            <span className={styles.sectorName}>{name}</span>
            <ToneText value={shownPct(rate)}>{unsignedPct(rate)}</ToneText>
          </li>
        ))}
      </ul>
      {!isWhole && sectors.length > SHOWN_AT_FIRST && (
        <div className={styles.more}>
          <Button tone="neutral" block onClick={() => setWhole(true)}>
            {trendCopy.moreSectors}
          </Button>
        </div>
      )}
    </Section>
  );
}
