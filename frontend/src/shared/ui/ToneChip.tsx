import { shownPct, unsignedPct } from '@/shared/format/pct';
import { ToneText } from './ToneText';

/** A change in percent as a filled label: ▲ 1.5%. */
export function ToneChip({ value }: { value: number | null | undefined }) {
  return (
    <ToneText value={shownPct(value)} chip>
      {unsignedPct(value)}
    </ToneText>
  );
}
