import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api, unwrap } from '@/shared/api/client';
import { onSessionChange, useMemberSid } from '@/shared/api/session';
import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { claimedPlatform, detectPlatform, type Platform } from '@/shared/platform/detectPlatform';
import { setNativeHaptic } from '@/shared/platform/haptics';
import { hasNativeShell, onNative, requestNative, sendToNative } from '@/shared/platform/nativeBridge';
import { setNativeShare } from '@/shared/platform/share';
import { useThemeName } from '@/shared/platform/theme';
import { isOverlayEntry } from '@/shared/ui/overlayHistory';
import { paths } from '@/shared/paths';

/** Connects the page to the native shell around it while mounted. Without a shell it only reports the platform. */
export function NativeShell() {
  // A shell may inject its bridge after the page has started; messages sent before are lost.
  const [isSettled, setSettled] = useState(() => hasNativeShell() || claimedPlatform(navigator.userAgent) === null);
  useEffect(() => {
    let isCancelled = false;
    void detectPlatform().then(() => {
      if (!isCancelled) setSettled(true);
    });
    return () => {
      isCancelled = true;
    };
  }, []);
  return isSettled ? <NativeBridge /> : null;
}

function NativeBridge() {
  const memberSid = useMemberSid();
  const navigate = useNavigate();
  const { pathname, key, ...location } = useLocation();
  const { version } = useRuntimeConfig();
  const theme = useThemeName();
  const hasOverlay = isOverlayEntry(location.state);
  const canGoBack = key !== 'default' && !ROOTS.has(pathname);

  useEffect(() => {
    setNativeHaptic((kind) => sendToNative('haptic', { kind }));
    setNativeShare(async (what) => (await requestNative('share', what)) !== null);
    return () => {
      setNativeHaptic(null);
      setNativeShare(null);
    };
  }, []);

  useEffect(() => void sendToNative('ready', { version }), [version]);
  useEffect(() => void sendToNative('statusBar', { dark: theme === 'dark' }), [theme]);
  useEffect(() => void sendToNative('backState', { canGoBack, overlay: hasOverlay }), [canGoBack, hasOverlay]);

  useEffect(() => {
    if (memberSid === null) return;
    sendToNative('login', { memberSid });
    void detectPlatform().then((platform) => reportOs(memberSid, platform));
  }, [memberSid]);

  useEffect(
    () =>
      onSessionChange((sid) => {
        if (sid === null) sendToNative('logout', {});
      }),
    [],
  );

  useEffect(() => {
    const stops = [
      onNative('back', () => void navigate(-1)),
      onNative('deepLink', ({ path }) => void navigate(path)),
      onNative('fontScale', ({ scale }) => {
        document.documentElement.style.fontSize = `${Math.round(scale * 100)}%`;
      }),
      onNative('safeArea', (insets) => {
        for (const [side, px] of Object.entries(insets)) document.documentElement.style.setProperty(`--safe-${side}`, `${px}px`);
      }),
      // The live connection listens for wake events; a shell reports them earlier than some mobile browsers.
      onNative('appState', ({ state: appState }) => {
        if (appState === 'active') window.dispatchEvent(new Event('pageshow'));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [navigate]);

  return null;
}

/** Screens where back leaves the app. */
const ROOTS: ReadonlySet<string> = new Set([paths.home, paths.invest, paths.stockList, paths.my, paths.login]);

let reported = '';

/** Reports the member's platform to the server, once per visit. Failures are ignored. */
async function reportOs(memberSid: number, platform: Platform): Promise<void> {
  if (platform === 'unknown') return;
  const report = `${memberSid} ${platform}`;
  if (reported === report) return;
  reported = report;
  try {
    await unwrap(api.PATCH('/api/v1/member/os/{id}', { params: { path: { id: memberSid } }, body: { os: platform } }));
  } catch {
    reported = '';
  }
}
