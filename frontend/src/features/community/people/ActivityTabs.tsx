import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { peopleCopy } from '@/features/community/copy.people';
import type { ActionType } from '@/features/community/types';
import { Tabs } from '@/shared/ui/Tabs';
import { ActionList } from './ActionList';
import styles from './People.module.css';

interface ActivityTabsProps {
  memberSid: number;
  userSid: number;
  types: readonly [ActionType, ...ActionType[]];
}

/** The activity of a member by kind; the address remembers the kind. */
export function ActivityTabs({ memberSid, userSid, types }: ActivityTabsProps) {
  const panelId = useId();
  const [params, setParams] = useSearchParams();
  const shown = types.find((type) => type === params.get('tab')) ?? types[0];
  return (
    <>
      <div className={styles.tabs}>
        <Tabs
          label={peopleCopy.tabs}
          options={types.map((value) => ({ value, label: peopleCopy.tab[value] }))}
          value={shown}
          panelId={panelId}
          onChange={(tab) => setParams({ tab }, { replace: true })}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-label={peopleCopy.tab[shown]}>
        <h2 className="sr-only">{peopleCopy.tab[shown]}</h2>
        <ActionList key={shown} memberSid={memberSid} userSid={userSid} type={shown} />
      </div>
    </>
  );
}
