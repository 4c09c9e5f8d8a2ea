import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { memberQuery } from '@/shared/api/memberQuery';
import { showAccent } from '@/shared/platform/accent';

/** Shows the theme that the member wears. Uses what other screens load; nothing is requested for this. */
export function WornTheme({ memberSid }: { memberSid: number | null }) {
  const { data } = useQuery({ ...memberQuery(memberSid ?? 0), enabled: false });
  const theme = memberSid === null ? null : data && (data.theme ?? null);
  useEffect(() => {
    // Until the member is known, the colours of the last visit stay.
    if (theme !== undefined) showAccent(theme);
  }, [theme]);
  return null;
}
