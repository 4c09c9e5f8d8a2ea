import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { detectPlatform } from '@/shared/platform/detectPlatform';
import { isFocusScreen } from '@/shared/paths';
import { sendToNative } from '@/shared/platform/nativeBridge';
import { hasOpenOverlay } from '@/shared/ui/overlayHistory';
import { InstallDialog } from './InstallDialog';
import { deferInstallPrompt, isInstalled, promptInstall } from './installPrompt';
import { mayOfferApp, rememberOffered, rememberWebChoice } from './installRules';

const IDLE_MS = 3_000;
/** An open dialog, or a screen that is one. */
const MODAL = 'dialog[open], [aria-modal="true"]';
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'scroll', 'touchmove'] as const;

interface InstallOfferProps {
  /** Checked just before the offer: has this member traded or completed a lesson? */
  isActive: (memberSid: number) => boolean;
}

/** Offers the app to active members on the web, once per session, after a moment without input. */
export function InstallOffer({ isActive }: InstallOfferProps) {
  const { pathname } = useLocation();
  const memberSid = useMemberSid();
  const [isOpen, setOpen] = useState(false);
  const [isWeb, setWeb] = useState(false);

  useEffect(deferInstallPrompt, []);
  useEffect(() => {
    let isCancelled = false;
    void detectPlatform().then((platform) => {
      if (!isCancelled) setWeb(platform === 'web' && !isInstalled());
    });
    return () => {
      isCancelled = true;
    };
  }, []);

  useEffect(() => {
    if (memberSid === null || !isWeb || isOpen) return;
    const offer = () => {
      const isBusy = document.hidden || hasOpenOverlay() || document.querySelector(MODAL) !== null;
      // The address, because a screen that is still loading already has it.
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

  // Going back below it may lead to an order; the offer then waits for another screen.
  if (!isOpen || memberSid === null || isFocusScreen(pathname)) return null;
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
