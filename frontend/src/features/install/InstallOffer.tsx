import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { detectPlatform } from '@/shared/platform/detectPlatform';
import { tellNative } from '@/shared/platform/nativeBridge';
import { InstallDialog } from './InstallDialog';
import { holdInstallPrompt, isInstalled, promptInstall } from './installPrompt';
import { mayOfferApp, rememberOffered, rememberWebChoice } from './installRules';

const IDLE_MS = 3_000;
const RESTLESS_EVENTS = ['pointerdown', 'keydown', 'scroll', 'touchmove'] as const;

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

  useEffect(holdInstallPrompt, []);
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
      const isBusy = document.hidden || document.querySelector('dialog[open]') !== null;
      const isDue = mayOfferApp({ isWeb, isActive: isActive(memberSid), pathname, nowMs: Date.now() });
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
    for (const name of RESTLESS_EVENTS) window.addEventListener(name, wait, { passive: true, capture: true });
    return () => {
      clearTimeout(timer);
      for (const name of RESTLESS_EVENTS) window.removeEventListener(name, wait, { capture: true });
    };
  }, [isActive, isOpen, isWeb, memberSid, pathname]);

  if (!isOpen || memberSid === null) return null;
  return (
    <InstallDialog
      onInstall={() => tellNative('openStore', {}) || promptInstall()}
      onStay={() => {
        rememberWebChoice(Date.now());
        setOpen(false);
      }}
      onClose={() => setOpen(false)}
    />
  );
}
