import { unitless } from '@/shared/format/number';
import { Avatar } from '@/shared/ui/Avatar';
import { LevelNumberBadge } from '@/shared/ui/LevelBadge';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import board from './Board.module.css';
import { boardCopy, rankCopy } from './copy';
import { EntrantName } from './EntrantName';
import { ReturnText } from './EntryFacts';
import type { BoardRow } from './types';

export const PODIUM_PLACES = 3;
const STEPS = [board.first, board.second, board.third] as const;

interface PodiumProps {
  rows: readonly BoardRow[];
  /** Opens what an entrant owns, where the event shows it. */
  onOpen?: ((row: BoardRow) => void) | null;
}

/** The best three, read from the first and drawn with the first in the middle. Who shares a rank stands by place. */
export function Podium({ rows, onOpen = null }: PodiumProps) {
  return (
    <ol className={board.podium} aria-label={boardCopy.podium}>
      {rows.map((row, index) => (
        <li key={row.userSid} className={`${board.step} ${STEPS[index] ?? ''}`}>
          <p className={board.medal}>{rankCopy.place(unitless(row.rank))}</p>
          <div className={board.who}>
            <p className={board.nickname}>
              <EntrantName row={row} onOpen={onOpen} />
              {row.isMine && <span className={board.me}>{boardCopy.me}</span>}
            </p>
            <LevelNumberBadge number={row.level} />
            <NamePlate image={row.plate} />
          </div>
          <p className={board.return}>
            <ReturnText value={row.returnRt} />
          </p>
          <div className={board.picture} aria-hidden="true">
            <Framed image={row.frame}>
              <Avatar name={row.nickname} size={index === 0 ? 56 : 44} />
            </Framed>
          </div>
        </li>
      ))}
    </ol>
  );
}
