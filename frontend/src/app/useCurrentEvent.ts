import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { competitionsQuery } from '@/features/competition/competitionApi';
import { memberQuery } from '@/shared/api/memberQuery';

/** The event that the member trades in; null outside the mode, and while it is not known. */
export function useCurrentEvent(memberSid: number): number | null {
  const { data: member } = useQuery(memberQuery(memberSid));
  const isOn = member?.competitionMode === true;
  const { data: list } = useInfiniteQuery({ ...competitionsQuery(memberSid), enabled: isOn });
  const events = list?.pages.flatMap(({ competitions }) => competitions) ?? [];
  const current = events.find(({ entry }) => entry && entry.accountSid === member?.competitionAccountSid);
  return isOn ? (current?.sid ?? null) : null;
}
