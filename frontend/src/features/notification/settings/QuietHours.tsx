import { useId } from 'react';
import { settingsCopy } from '@/features/notification/copy.settings';
import type { NotificationSettings } from '@/features/notification/notificationTypes';
import { two } from '@/shared/format/kst';
import { ChevronDownIcon } from '@/shared/ui/icons';
import { Switch } from '@/shared/ui/Switch';
import styles from './Settings.module.css';

type Quiet = NotificationSettings['quiet'];

const USUAL: Quiet = { from: '21:00', until: '08:00' };
const NONE: Quiet = { from: '00:00', until: '00:00' };
const HOURS = Array.from({ length: 24 }, (_, hour) => `${two(hour)}:00`);

interface QuietHoursProps {
  quiet: Quiet;
  isDisabled: boolean;
  onChange: (quiet: Quiet) => void;
}

/** When no pushes come. */
export function QuietHours({ quiet, isDisabled, onChange }: QuietHoursProps) {
  const noteId = useId();
  const isOn = quiet.from !== quiet.until;
  return (
    <>
      <Switch label={settingsCopy.quiet} isOn={isOn} isDisabled={isDisabled} describedBy={noteId} onChange={(on) => onChange(on ? USUAL : NONE)} />
      <p id={noteId} className={styles.note}>
        {settingsCopy.quietNote}
      </p>
      {isOn && (
        <div className={styles.hours}>
          <Hour label={settingsCopy.from} value={quiet.from} other={quiet.until} isDisabled={isDisabled} onChange={(from) => onChange({ ...quiet, from })} />
          <Hour label={settingsCopy.until} value={quiet.until} other={quiet.from} isDisabled={isDisabled} onChange={(until) => onChange({ ...quiet, until })} />
        </div>
      )}
    </>
  );
}

interface HourProps {
  label: string;
  value: string;
  /** Equal ends would mean no quiet hours, for which there is the switch. */
  other: string;
  isDisabled: boolean;
  onChange: (time: string) => void;
}

function Hour({ label, value, other, isDisabled, onChange }: HourProps) {
  const id = useId();
  const times = HOURS.includes(value) ? HOURS : [value, ...HOURS];
  return (
    <div className={styles.hour}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.select}>
        <select id={id} value={value} disabled={isDisabled} onChange={(event) => onChange(event.target.value)}>
          {times
            .filter((time) => time !== other)
            .map((time) => (
              <option key={time} value={time}>
                {nameOf(time)}
              </option>
            ))}
        </select>
        <ChevronDownIcon size={16} />
      </span>
    </div>
  );
}

function nameOf(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return settingsCopy.hour(hour < 12, hour % 12 || 12, minute);
}
