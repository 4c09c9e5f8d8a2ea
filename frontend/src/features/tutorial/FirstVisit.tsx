import { useEffect } from 'react';
import type { Member } from '@/shared/api/types';
import { rememberSeen } from './firstVisitMemory';
import { TutorialDialog } from './TutorialDialog';
import { useFirstVisit } from './useFirstVisit';
import { WelcomeSheet } from './WelcomeSheet';

interface FirstVisitProps {
  member: Member;
  /** The starting money; null until it is loaded. */
  moneyWon: number | null;
}

/** The first visit of a member: a short tour, then the starting money. */
export function FirstVisit({ member, moneyWon }: FirstVisitProps) {
  const { isDue, markSeen } = useFirstVisit(member);
  const isTourDue = isDue('tutorial');
  const isWelcomeOpen = !isTourDue && isDue('welcomePopup') && moneyWon !== null;
  useSeenWhenLeft(isWelcomeOpen, member.sid);
  return (
    <>
      <TutorialDialog open={isTourDue} onDone={() => markSeen('tutorial')} />
      <WelcomeSheet
        open={isWelcomeOpen}
        moneyWon={moneyWon ?? 0}
        onClose={() => markSeen('welcomePopup')}
      />
    </>
  );
}

/** Leaving with the welcome open counts as seen; it is reported on the next visit. */
function useSeenWhenLeft(isOpen: boolean, memberSid: number): void {
  useEffect(() => {
    if (!isOpen) return;
    const remember = () => rememberSeen(memberSid, 'welcomePopup');
    window.addEventListener('pagehide', remember);
    return () => {
      window.removeEventListener('pagehide', remember);
      remember();
    };
  }, [isOpen, memberSid]);
}
