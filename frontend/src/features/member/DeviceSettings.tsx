import { NOTICE_SECONDS, setPreference, usePreference } from '@/shared/platform/preferences';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '@/shared/platform/theme';
import { Switch } from '@/shared/ui/Switch';
import { myCopy, settingsCopy } from './copy';
import { FactRow } from './LinkGroup';
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
