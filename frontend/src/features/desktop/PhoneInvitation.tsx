import encodeQR from 'qr';
import { useMemo } from 'react';
import { appName } from '@/shared/copy/copy.shared';
import { desktopCopy } from './copy';
import { phoneAddress } from './phoneAddress';
import styles from './PhoneInvitation.module.css';

/** The sidebar on a wide screen: what the product is, and a QR code to the same screen on a phone. */
export function PhoneInvitation({ href }: { href: string }) {
  const address = phoneAddress(href);
  return (
    <aside className={styles.aside} aria-label={desktopCopy.label}>
      <p className={styles.name}>{appName}</p>
      <p className={styles.sentence}>{desktopCopy.sentence}</p>
      {address !== null && <QrCode text={address} />}
      <p className={styles.scan}>{address === null ? desktopCopy.onlyHere : desktopCopy.scan}</p>
    </aside>
  );
}

/** Dark on light in both themes: many cameras cannot read inverted codes. */
function QrCode({ text }: { text: string }) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'low', border: QUIET_MODULES }), [text]);
  const modules = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={styles.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={desktopCopy.code} shapeRendering="crispEdges">
      <path d={modules.join('')} />
    </svg>
  );
}

/** The quiet zone, without which a code is not detected. */
const QUIET_MODULES = 4;
