import board from './Board.module.css';
import { boardCopy } from './copy';
import type { BoardRow } from './types';

interface EntrantNameProps {
  row: BoardRow;
  /** Null where the event does not show what entrants own. */
  onOpen: ((row: BoardRow) => void) | null;
}

/** The name of an entrant; a button where others see what the entrant owns. */
export function EntrantName({ row, onOpen }: EntrantNameProps) {
  if (!onOpen || row.isMine) return row.nickname;
  return (
    <button type="button" className={board.open} aria-haspopup="dialog" onClick={() => onOpen(row)}>
      {row.nickname} <span className="sr-only">{boardCopy.holdings.open}</span>
    </button>
  );
}
