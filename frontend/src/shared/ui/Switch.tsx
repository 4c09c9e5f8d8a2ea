import { useId } from 'react';
import styles from './Switch.module.css';

interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  /** The id of what explains it. */
  describedBy?: string | undefined;
  onChange: (isOn: boolean) => void;
}

/** A row with a switch. */
export function Switch({ label, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <label id={`${id}-name`} htmlFor={id} className={styles.name}>
        {label}
      </label>
      <SwitchControl id={id} labelledBy={`${id}-name`} {...rest} />
    </div>
  );
}

type SwitchControlProps = Omit<SwitchProps, 'label'> & {
  id?: string;
  /** The ids of its name. */
  labelledBy: string;
};

/** The switch alone, for rows with several. */
export function SwitchControl({ id, labelledBy, isOn, isDisabled = false, describedBy, onChange }: SwitchControlProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-checked={isOn}
      className={styles.switch}
      checked={isOn}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
