import { useId } from 'react';
import styles from './My.module.css';

interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A row with a switch. */
export function Switch({ label, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <label id={`${id}-name`} htmlFor={id} className={styles.settingName}>
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-labelledby={`${id}-name`}
        aria-checked={isOn}
        className={styles.switch}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}
