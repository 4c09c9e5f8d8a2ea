import type { Interest } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Sheet } from '@/shared/ui/Sheet';
import { productDetail } from './copy';
import styles from './ScheduleSheet.module.css';

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
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.month}</th>
            <th scope="col">{columns.paid}</th>
            <th scope="col">{columns.interest}</th>
          </tr>
        </thead>
        <tbody>
          {months.map((row) => (
            <tr key={row.month}>
              <th scope="row">{month(row.month)}</th>
              <td>{won(row.paid)}</td>
              <td>{won(row.interest)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
