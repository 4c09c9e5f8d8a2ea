import { Bone } from '@/shared/ui/Skeleton';

/** The shapes of the detail screen: header, chart, four lines. */
export function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" style={{ padding: '4px 20px', display: 'grid', gap: 10 }}>
        <Bone width={160} height={32} radius={16} />
        <Bone width={200} height={38} />
        <Bone width={140} height={20} />
        <div style={{ height: 260, display: 'flex', alignItems: 'flex-end' }}>
          <Bone width="100%" height={200} radius={16} />
        </div>
        <Bone width="100%" height={48} radius={12} />
        {[0, 1, 2, 3].map((line) => (
          <Bone key={line} width="100%" height={22} />
        ))}
      </div>
    </div>
  );
}
