import { setPreference, usePreference } from '@/shared/platform/preferences';
import { EyeIcon, EyeOffIcon } from '@/shared/ui/icons';
import styles from './AssetHero.module.css';
import { assetsCopy } from './copy';

/** The eye that turns all amounts into dots, and back. The choice stays on this device. */
export function HideToggle() {
  const isHidden = usePreference('hideAmounts');
  return (
    <button
      type="button"
      className={styles.eye}
      aria-label={isHidden ? assetsCopy.show : assetsCopy.hide}
      onClick={() => setPreference({ hideAmounts: !isHidden })}
    >
      {isHidden ? <EyeOffIcon size={20} /> : <EyeIcon size={20} />}
    </button>
  );
}
