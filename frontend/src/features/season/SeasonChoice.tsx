import { useQuery } from '@tanstack/react-query';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { seasonCopy } from './copy';
import styles from './Season.module.css';
import { seasonsQuery } from './seasonApi';

const PRESENT = 'present';

interface SeasonChoiceProps {
  memberSid: number;
  /** Null is the present one. */
  season: number | null;
  onChange: (season: number | null) => void;
}

/** Chips of the seasons; none while the first one lasts. */
export function SeasonChoice({ memberSid, season, onChange }: SeasonChoiceProps) {
  const { data } = useQuery(seasonsQuery(memberSid));
  const past = data?.past.map((one) => String(one.season)) ?? [];
  if (past.length === 0) return null;
  const names: Record<string, string> = { [PRESENT]: seasonCopy.present };
  for (const number of past) names[number] = seasonCopy.name(Number(number));
  return (
    <div className={styles.choice}>
      <ChoiceChips
        label={seasonCopy.choice}
        values={[PRESENT, ...past]}
        names={names}
        value={season === null ? PRESENT : String(season)}
        onChange={(value) => onChange(value === PRESENT ? null : Number(value))}
      />
    </div>
  );
}
