import { useQuery } from '@tanstack/react-query';
import { HomeEquity as Chart } from '@/features/equity/HomeEquity';
import { memberQuery } from '@/shared/api/memberQuery';

/** The equity on home; not in a competition, whose account it leaves out. */
export default function HomeEquity({ memberSid }: { memberSid: number }) {
  const { data: member } = useQuery(memberQuery(memberSid));
  return member?.competitionMode === false && <Chart memberSid={memberSid} />;
}
