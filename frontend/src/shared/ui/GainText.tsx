import { unsignedMoney } from '@/shared/format/change';
import { isMissing } from '@/shared/format/number';
import { gainPct } from '@/shared/format/pct';
import { Amount } from './Amount';
import { ToneText } from './ToneText';

interface GainTextProps {
  won: number | null | undefined;
  percent: number | null | undefined;
  /** As a filled label. */
  chip?: boolean;
}

/** A gain or loss in won and in percent: ▲ 3,900원 (1.86%). One arrow shows the direction of both; hidden amounts stay hidden. */
export function GainText({ won, percent, chip = false }: GainTextProps) {
  return (
    <ToneText value={isMissing(won) ? percent : won} chip={chip}>
      <Amount>{unsignedMoney(won, 'KRW')}</Amount>
      {!isMissing(percent) && ` (${gainPct(percent)})`}
    </ToneText>
  );
}
