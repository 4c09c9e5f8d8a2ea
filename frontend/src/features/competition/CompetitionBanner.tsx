import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@/shared/ui/Section';
import { competitionsQuery } from './competitionApi';
import { competitionPaths } from './competitionPaths';
import { bannerCopy } from './copy';
import { EventCard } from './EventCard';
import styles from './Competition.module.css';

/** The event that runs, or else the next one; nothing without one. A hint: it is silent while it loads and when it fails. */
export default function CompetitionBanner({ memberSid }: { memberSid: number }) {
  const [now] = useState(() => new Date());
  const { data } = useInfiniteQuery({ ...competitionsQuery(memberSid), refetchInterval: false });
  const events = data?.pages.flatMap(({ competitions }) => competitions) ?? [];
  // Running ones come first.
  const event = events.find(({ status, kind, entry }) => status !== 'ENDED' && (kind === 'OFFICIAL' || entry?.hasLeft === false));
  if (!event) return null;
  return (
    <Section title={bannerCopy.title} all={competitionPaths.home}>
      <div className={styles.cards}>
        <EventCard event={event} now={now} isCurrent={false} />
      </div>
    </Section>
  );
}
