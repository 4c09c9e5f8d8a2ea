import { unitless } from '@/shared/format/number';
import { tone, TONE_ARROW } from '@/shared/format/tone';
import { Avatar } from '@/shared/ui/Avatar';
import { LevelNumberBadge } from '@/shared/ui/LevelBadge';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import board from './Board.module.css';
import { boardCopy } from './copy';
import { EntrantName } from './EntrantName';
import { ReturnText } from './EntryFacts';
import type { BoardRow } from './types';

interface BoardTableProps {
  rows: readonly BoardRow[];
  /** The member's own row, which stays in view. */
  mine: BoardRow | null;
  /** Opens what an entrant owns, where the event shows it. */
  onOpen: ((row: BoardRow) => void) | null;
}

export function BoardTable({ rows, mine, onOpen }: BoardTableProps) {
  const { columns } = boardCopy;
  return (
    <table className={board.table} aria-label={boardCopy.table}>
      <thead>
        <tr>
          <th scope="col">{columns.rank}</th>
          <th scope="col">{columns.name}</th>
          <th scope="col" className={board.end}>
            {columns.returnRt}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.userSid} row={row} onOpen={onOpen} />
        ))}
      </tbody>
      {mine && (
        <tfoot className={board.own}>
          <Row row={mine} onOpen={onOpen} />
        </tfoot>
      )}
    </table>
  );
}

function Row({ row, onOpen }: { row: BoardRow; onOpen: BoardTableProps['onOpen'] }) {
  const { rank, nickname, frame, plate, level, returnRt, gained, isMine } = row;
  return (
    <tr className={isMine ? board.mineRow : undefined}>
      <td className={board.rank}>
        {unitless(rank)}
        <Gained ranks={gained} />
      </td>
      <th scope="row">
        <span className={board.entrant}>
          <span className={board.face} aria-hidden="true">
            <Framed image={frame}>
              <Avatar name={nickname} size={32} />
            </Framed>
          </span>
          <span className={board.nickname}>
            <EntrantName row={row} onOpen={onOpen} />
          </span>
          <LevelNumberBadge number={level} />
          <NamePlate image={plate} />
          {isMine && <span className={board.me}>{boardCopy.me}</span>}
        </span>
      </th>
      <td className={board.end}>
        <ReturnText value={returnRt} />
      </td>
    </tr>
  );
}

/** The ranks gained since midnight; nothing for who had none then. */
function Gained({ ranks }: { ranks: number | null | undefined }) {
  if (ranks === null || ranks === undefined) return null;
  const direction = tone(ranks);
  const size = Math.abs(ranks);
  return (
    <span className={`${board.gained} tone-${direction}`}>
      <span aria-hidden="true">{ranks === 0 ? boardCopy.unmoved : `${TONE_ARROW[direction]}${size}`}</span>
      <span className="sr-only">{spoken(ranks, size)}</span>
    </span>
  );
}

function spoken(ranks: number, size: number): string {
  if (ranks === 0) return boardCopy.unmovedSpoken;
  return ranks > 0 ? boardCopy.gained(size) : boardCopy.lost(size);
}
