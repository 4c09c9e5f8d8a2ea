import { useEffect } from 'react';
import type { Member } from '@/shared/api/types';
import { rememberSeen } from './firstVisitMemory';
import { TutorialDialog } from './TutorialDialog';
import { useFirstVisit } from './useFirstVisit';
import { WelcomeSheet } from './WelcomeSheet';

interface FirstVisitProps {
  member: Member;
  /** The money a member starts with; null until it is known. */
  moneyWon: number | null;
}

/** What a new member meets on their first home screen: a short tour, then the money they were given. */
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

/** Whoever leaves with the welcome open has seen it as well; the server is told of it on the next visit. */
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
