import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { detectPlatform } from '@/shared/platform/detectPlatform';
import { isUndisturbed } from '@/shared/paths';
import { sendToNative } from '@/shared/platform/nativeBridge';
import { hasOpenOverlay } from '@/shared/ui/overlayHistory';
import { InstallDialog } from './InstallDialog';
import { deferInstallPrompt, isInstalled, promptInstall } from './installPrompt';
import { mayOfferApp, rememberOffered, rememberWebChoice } from './installRules';

const IDLE_MS = 3_000;
/** A dialog of the browser's, or a screen that is one. */
const MODAL = 'dialog[open], [aria-modal="true"]';
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'scroll', 'touchmove'] as const;

interface InstallOfferProps {
  /** Asked at the last moment: has this member traded or completed a lesson? */
  isActive: (memberSid: number) => boolean;
}

/** Offers the app to whoever uses the web a lot, once per session, when the phone has been left alone for a moment. */
export function InstallOffer({ isActive }: InstallOfferProps) {
  const { pathname } = useLocation();
  const memberSid = useMemberSid();
  const [isOpen, setOpen] = useState(false);
  const [isWeb, setWeb] = useState(false);

  useEffect(deferInstallPrompt, []);
  useEffect(() => {
    let isGone = false;
    void detectPlatform().then((platform) => {
      if (!isGone) setWeb(platform === 'web' && !isInstalled());
    });
    return () => {
      isGone = true;
    };
  }, []);

  useEffect(() => {
    if (memberSid === null || !isWeb || isOpen) return;
    const offer = () => {
      const isBusy = document.hidden || hasOpenOverlay() || document.querySelector(MODAL) !== null;
      // The address itself: a screen that is still being loaded has it already.
      const isDue = mayOfferApp({ isWeb, isActive: isActive(memberSid), pathname: window.location.pathname, nowMs: Date.now() });
      if (isBusy || !isDue) {
        wait();
        return;
      }
      rememberOffered();
      setOpen(true);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(offer, IDLE_MS);
    };
    wait();
    for (const name of ACTIVITY_EVENTS) window.addEventListener(name, wait, { passive: true, capture: true });
    return () => {
      clearTimeout(timer);
      for (const name of ACTIVITY_EVENTS) window.removeEventListener(name, wait, { capture: true });
    };
  }, [isActive, isOpen, isWeb, memberSid, pathname]);

  // Going back under it may lead to an order; it then waits for another screen.
  if (!isOpen || memberSid === null || isUndisturbed(pathname)) return null;
  return (
    <InstallDialog
      onInstall={() => sendToNative('openStore', {}) || promptInstall()}
      onStay={() => {
        rememberWebChoice(Date.now());
        setOpen(false);
      }}
      onClose={() => setOpen(false)}
    />
  );
}
