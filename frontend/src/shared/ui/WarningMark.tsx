import { isWarning, warningName } from '@/shared/format/codes';
import { Chip } from './Chip';

/** The exchange's warning about an instrument, in the size of a row; nothing without one. */
export function WarningMark({ code }: { code: string }) {
  return isWarning(code) ? <Chip look="smallCaution">{warningName(code)}</Chip> : null;
}
