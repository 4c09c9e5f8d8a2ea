import { unitless } from '@/shared/format/number';
import { Avatar } from '@/shared/ui/Avatar';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import board from './Board.module.css';
import { boardCopy, rankCopy } from './copy';
import { ReturnText } from './EntryFacts';
import type { BoardRow } from './types';

export const PODIUM_PLACES = 3;
const STEPS = [board.first, board.second, board.third] as const;

/** The best three, read from the first and drawn with the first in the middle. Who shares a rank stands by place. */
export function Podium({ rows }: { rows: readonly BoardRow[] }) {
  return (
    <ol className={board.podium} aria-label={boardCopy.podium}>
      {rows.map(({ userSid, rank, nickname, frame, plate, returnRt, isMine }, index) => (
        <li key={userSid} className={`${board.step} ${STEPS[index] ?? ''}`}>
          <p className={board.medal}>{rankCopy.place(unitless(rank))}</p>
          <div className={board.who}>
            <p className={board.nickname}>
              {nickname}
              {isMine && <span className={board.me}>{boardCopy.me}</span>}
            </p>
            <NamePlate image={plate} />
          </div>
          <p className={board.return}>
            <ReturnText value={returnRt} />
          </p>
          <div className={board.picture} aria-hidden="true">
            <Framed image={frame}>
              <Avatar name={nickname} size={index === 0 ? 56 : 44} />
            </Framed>
          </div>
        </li>
      ))}
    </ol>
  );
}
