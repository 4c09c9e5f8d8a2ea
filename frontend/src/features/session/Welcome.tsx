import { useEffect, useRef } from 'react';
import { bigWon } from '@/shared/format/bigWon';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { CheckIcon } from '@/shared/ui/icons';
import { joinCopy } from './copy';
import styles from './session.module.css';

/** The end of joining: a greeting and the starting money, once it is loaded. */
export function Welcome({ nickname, moneyWon, onStart }: { nickname: string; moneyWon: number | null; onStart: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={styles.done}>
      <span className={styles.check} aria-hidden="true">
        <CheckIcon size={36} />
      </span>
      <h2 ref={title} tabIndex={-1}>
        {joinCopy.welcome(nickname)}
      </h2>
      <p>{moneyWon === null ? joinCopy.moneyUnknown : joinCopy.money(bigWon(moneyWon))}</p>
      <BottomCTA>
        <Button size="large" onClick={onStart}>
          {joinCopy.start}
        </Button>
      </BottomCTA>
    </div>
  );
}
