import { useQuery } from '@tanstack/react-query';
import { assetsQuery } from '@/shared/api/assetsQuery';
import type { Deck } from '@/features/learn/learnQueries';
import { DeckPage } from '@/features/learn/quiz/DeckPage';
import { useMemberSid } from '@/shared/api/session';
import { levelCopy } from '@/shared/copy/copy.level';
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
  if (!data) return null;
  const wealth = level(data.total);
  return (
    <>
      {/* The gauge says the same to a screen reader. */}
      <p aria-hidden="true">{wealth.toNextWon === null ? levelCopy.top(wealth.name) : levelCopy.toNext(wealth.name, Math.floor(wealth.gaugePercent))}</p>
      <LevelGauge level={wealth} />
    </>
  );
}
