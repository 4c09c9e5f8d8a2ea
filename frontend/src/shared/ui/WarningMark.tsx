import { isWarning, warningName } from '@/shared/format/codes';
import { Chip } from './Chip';

/** The exchange's warning about an instrument, small enough for a row; nothing where there is none. */
export function WarningMark({ code }: { code: string }) {
  return isWarning(code) ? <Chip look="smallCaution">{warningName(code)}</Chip> : null;
}
