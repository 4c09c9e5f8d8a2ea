import { useState } from 'react';
import { paths } from '@/shared/paths';
import { Dialog } from '@/shared/ui/Dialog';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { Switch } from '@/shared/ui/Switch';
import { modeCopy } from './copy.mode';
import { useCompetitionMode } from './useCompetitionMode';

/** Turns the competition mode on and off, after a question. */
export function CompetitionSwitch({ memberSid }: { memberSid: number }) {
  const { isOn, isKnown, isPending, set } = useCompetitionMode(memberSid);
  const [asks, setAsks] = useState(false);
  const navigate = useNavigateFromOverlay();
  const change = async () => {
    if (await set({ isOn: !isOn })) navigate(paths.home);
    else setAsks(false);
  };
  return (
    <>
      <Switch label={modeCopy.name} isOn={isOn} isDisabled={!isKnown || isPending} onChange={() => setAsks(true)} />
      <Dialog
        open={asks}
        title={isOn ? modeCopy.questionOff : modeCopy.question}
        body={isOn ? modeCopy.off : modeCopy.on}
        onClose={() => setAsks(false)}
        confirm={{ label: isOn ? modeCopy.confirmOff : modeCopy.confirm, onClick: () => void change(), busy: isPending }}
      />
    </>
  );
}
