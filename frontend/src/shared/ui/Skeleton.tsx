import styles from './Skeleton.module.css';

/** One grey shape of the given size; mark the region around it `aria-busy`. */
export function Bone({ width, height, radius }: { width: number | string; height: number; radius?: number }) {
  return <span className={styles.bone} style={{ width, height, borderRadius: radius }} />;
}

/** Rows with the geometry of item rows, so that nothing moves when the data arrives. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.late}>
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className={styles.row}>
            <Bone width={40} height={40} radius={20} />
            <span className={styles.lines}>
              <Bone width="46%" height={18} />
              <span style={{ display: 'block', height: 6 }} />
              <Bone width="26%" height={14} />
            </span>
            <span>
              <Bone width={84} height={18} />
              <span style={{ display: 'block', height: 6 }} />
              <Bone width={84} height={14} />
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
