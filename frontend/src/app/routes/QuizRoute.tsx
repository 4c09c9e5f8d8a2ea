import { useQuery } from '@tanstack/react-query';
import { assetsQuery } from '@/shared/api/assetsQuery';
import type { Deck } from '@/features/learn/learnQueries';
import { DeckPage } from '@/features/learn/quiz/DeckPage';
import { useMemberSid } from '@/shared/api/session';
import { level } from '@/shared/format/level';
import { LevelGauge } from '@/shared/ui/LevelGauge';

/** A quiz run: today's set, one of a theme, or a review. */
export default function QuizRoute({ deck }: { deck: Deck }) {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return <DeckPage key={JSON.stringify(deck)} deck={deck} level={<WealthGauge memberSid={memberSid} />} />;
}

function WealthGauge({ memberSid }: { memberSid: number }) {
  const { data } = useQuery(assetsQuery(memberSid));
  return data ? <LevelGauge level={level(data.total)} /> : null;
}
