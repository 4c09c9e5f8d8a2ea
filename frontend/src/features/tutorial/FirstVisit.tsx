import type { Member } from '@/shared/api/types';
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
  const { isDue, settle } = useFirstVisit(member);
  const isTourDue = isDue('tutorial');
  return (
    <>
      <TutorialDialog open={isTourDue} onDone={() => settle('tutorial')} />
      <WelcomeSheet
        open={!isTourDue && isDue('welcomePopup') && moneyWon !== null}
        moneyWon={moneyWon ?? 0}
        onClose={() => settle('welcomePopup')}
      />
    </>
  );
}
