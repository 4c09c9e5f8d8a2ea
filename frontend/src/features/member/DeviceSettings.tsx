import { useId } from 'react';
import { NOTICE_SECONDS, setPreference, usePreference } from '@/shared/platform/preferences';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '@/shared/platform/theme';
import { myCopy, settingsCopy } from './copy';
import { FactRow } from './LinkGroup';
import styles from './My.module.css';
import { RadioChips } from './RadioChips';

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** Settings stored on this device. */
export function DeviceSettings() {
  const theme = useThemeChoice();
  const hideAmounts = usePreference('hideAmounts');
  const noticeSeconds = usePreference('noticeSeconds');
  const haptics = usePreference('haptics');
  return (
    <>
      <RadioChips
        label={myCopy.theme}
        options={THEMES.map((value) => ({ value, label: myCopy.themes[value] }))}
        value={theme}
        onChange={chooseTheme}
      />
      <RadioChips
        label={myCopy.noticeTime}
        options={NOTICE_SECONDS.map((value) => ({ value, label: myCopy.seconds(value) }))}
        value={noticeSeconds}
        onChange={(seconds) => setPreference({ noticeSeconds: seconds })}
      />
      <FactRow name={settingsCopy.textSize} value={settingsCopy.textSizeNote} />
      <Switch label={myCopy.hideAmounts} isOn={hideAmounts} onChange={(isOn) => setPreference({ hideAmounts: isOn })} />
      <Switch label={myCopy.haptics} isOn={haptics} onChange={(isOn) => setPreference({ haptics: isOn })} />
    </>
  );
}

function Switch({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
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
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}
