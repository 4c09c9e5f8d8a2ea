import type { Interest } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Sheet } from '@/shared/ui/Sheet';
import { SheetTable } from '@/shared/ui/SheetTable';
import { productDetail } from './copy';

interface ScheduleSheetProps {
  open: boolean;
  /** In ascending order. */
  months: Interest['schedule'];
  onClose: () => void;
}

/** The growth month by month. */
export function ScheduleSheet({ open, months, onClose }: ScheduleSheetProps) {
  const { title, caption, columns, month } = productDetail.schedule;
  return (
    <Sheet open={open} title={title} onClose={onClose}>
      <SheetTable caption={caption} columns={[columns.month, columns.paid, columns.interest]}>
        {months.map((row) => (
          <tr key={row.month}>
            <th scope="row">{month(row.month)}</th>
            <td>{won(row.paid)}</td>
            <td>{won(row.interest)}</td>
          </tr>
        ))}
      </SheetTable>
    </Sheet>
  );
}
