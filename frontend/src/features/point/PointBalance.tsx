import { useQuery } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { pointsQuery } from './pointApi';
import { pointUnit } from './copy.unit';

/** The member's points in a row; nothing until they are known. */
export function PointBalance({ memberSid }: { memberSid: number }) {
  const { data } = useQuery(pointsQuery(memberSid));
  return data ? pointUnit(unitless(data.educationPoint)) : null;
}
