import { lazy, type ReactNode } from 'react';
import { matchPath, type PathMatch, useLocation } from 'react-router';
import { ArticlePage } from '@/features/learn/article/ArticlePage';
import { CARD_QUIZ, isCardSubject } from '@/features/learn/card/cardPaths';
import { CalendarPage } from '@/features/learn/calendar/CalendarPage';
import { GlossaryPage } from '@/features/learn/glossary/GlossaryPage';
import { learnPaths } from '@/features/learn/learnPaths';
import { CARD_KINDS } from '@/features/learn/learnTypes';
import { ThemePage } from '@/features/learn/theme/ThemePage';
import { useMemberSid } from '@/shared/api/session';
import { NotFoundRoute } from './NotFoundRoute';

const QuizRoute = lazy(() => import(/* webpackChunkName: "route-quiz" */ './QuizRoute'));

type Params = PathMatch['params'];

/** The screens behind the tab of learning. They share most of their code, so they are one route of the app. */
const SCREENS: readonly { path: string; screen: (params: Params, memberSid: number) => ReactNode }[] = [
  { path: learnPaths.article, screen: ({ articleSid = '' }) => <ArticlePage articleSid={articleSid} /> },
  { path: learnPaths.glossary, screen: () => <GlossaryPage sid={null} /> },
  { path: learnPaths.glossaryTerm, screen: ({ sid = '' }) => <GlossaryPage key={sid} sid={decoded(sid)} /> },
  { path: learnPaths.calendar, screen: (_, memberSid) => <CalendarPage memberSid={memberSid} /> },
  { path: learnPaths.themes, screen: () => <ThemePage /> },
  { path: learnPaths.themeQuiz, screen: ({ themeSid = '' }) => <QuizRoute deck={{ kind: 'theme', themeSid }} /> },
  { path: learnPaths.dailyQuiz, screen: () => <QuizRoute deck={{ kind: 'random' }} /> },
  { path: CARD_QUIZ, screen: ({ subject = '', cardKind = '' }) => <CardQuizRoute subject={subject} cardKind={cardKind} /> },
  { path: learnPaths.review, screen: () => <QuizRoute deck={{ kind: 'review' }} /> },
];

const VISITOR = 0;

/** One of the screens of learning by its address. The app's table says which need a member. */
export default function StudyRoute() {
  const { pathname } = useLocation();
  const memberSid = useMemberSid();
  for (const { path, screen } of SCREENS) {
    const match = matchPath(path, pathname);
    if (match) return screen(match.params, memberSid ?? VISITOR);
  }
  return <NotFoundRoute />;
}

/** The question of an own trade; nothing else is at such an address. */
function CardQuizRoute({ subject, cardKind }: { subject: string; cardKind: string }) {
  const kind = CARD_KINDS.find((each) => each.toLowerCase() === cardKind);
  if (kind === undefined || !isCardSubject(kind, subject)) return <NotFoundRoute />;
  return <QuizRoute deck={{ kind: 'card', subject, cardKind: kind }} />;
}

/** A word of the address; one that is not encoded properly stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
