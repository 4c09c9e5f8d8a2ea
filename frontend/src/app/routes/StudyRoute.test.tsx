import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import type { Article, Completion } from '@/features/learn/learnTypes';
import { axeViolations } from '@/testing/axe';
import { article, completion, progress, quiz, result, term } from '@/testing/learnSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import StudyRoute from './StudyRoute';

let answers: string[] = [];
let opened: string[] = [];

function serve({ read = article, complete = completion }: { read?: Partial<Article>; complete?: Partial<Completion> } = {}) {
  server.use(
    http.post('*/api/v1/education/article/get-article/:a/:b', ({ params }) => {
      opened.push(`${String(params.a)} ${String(params.b)}`);
      return HttpResponse.json({ ...article, ...read });
    }),
    http.get('*/api/v1/education/complete/article/:id', () => HttpResponse.json({ ...completion, ...complete })),
    http.put('*/api/v1/education/study-complete/:sid/:isCorrect/:point/:answer/:isSurvey', ({ params }) => {
      answers.push(`${String(params.sid)} ${String(params.answer)} ${String(params.isSurvey)}`);
      const isCorrect = params.answer === '2';
      return HttpResponse.json({ ...result, isCorrect, answer: isCorrect ? ['2'] : [], answerDescription: isCorrect ? '지정가는 값을 적어요.' : '', point: isCorrect ? 5 : 0 });
    }),
    http.get('*/api/v1/education/glossary', () => HttpResponse.json([term])),
    http.get('*/api/v1/education/glossary/:sid', ({ params }) =>
      params.sid === '호가' ? HttpResponse.json(term) : HttpResponse.json({ code: 6001, reason: 'STUDY_NOT_FOUND', message: '' }, { status: 404 }),
    ),
    http.get('*/api/v1/education/dailyQuiz/progress/v2/:id', () => HttpResponse.json(progress)),
  );
}

const open = (at = '/study-v2/readable/orders-1') => renderApp(<StudyRoute />, { at });
/** The text is 2,000 px long, of which `share` lies above the lower edge of the window. */
const scrollTo = (share: number) => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: window.innerHeight - share * 2_000, height: 2_000, bottom: 0 } as DOMRect);
  fireEvent.scroll(window);
};

beforeEach(() => {
  answers = [];
  opened = [];
  Element.prototype.scrollIntoView = () => undefined;
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

describe('the question of an own order', () => {
  it('is handed out for that order and kind, and nothing is at other addresses', async () => {
    serve();
    const asked: unknown[] = [];
    server.use(
      http.post('*/api/v1/education/cards/:id/quiz', async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json([quiz]);
      }),
    );
    const { unmount } = open('/study-v2/quiz/card/501/slippage');
    expect(await screen.findByRole('heading', { level: 1, name: /세금을 떼기 전 이자는/ })).toBeVisible();
    expect(asked).toEqual([{ orderSid: 501, kind: 'SLIPPAGE' }]);
    unmount();
    for (const [address, body] of [
      ['100000000103/early_close', { acno: '100000000103', kind: 'EARLY_CLOSE' }],
      ['KRW-BTC/concentration', { isuSrtCd: 'KRW-BTC', kind: 'CONCENTRATION' }],
    ] as const) {
      const view = open(`/study-v2/quiz/card/${address}`);
      expect(await screen.findByRole('heading', { level: 1, name: /세금을 떼기 전 이자는/ })).toBeVisible();
      expect(asked.splice(1)).toEqual([body]);
      view.unmount();
    }
    for (const wrong of ['501/luck', '0/fee', 'x/fee', '-1/fee', '9999999999999999/fee', '501/early_close', '0059%2030/concentration']) {
      const view = open(`/study-v2/quiz/card/${wrong}`);
      expect(await screen.findByRole('heading', { name: '찾는 페이지가 없어요' })).toBeVisible();
      view.unmount();
    }
    expect(asked).toHaveLength(1);
  });
});

describe('an article', () => {
  it('is completed after 80 % and its question, and asks for an opinion', async () => {
    serve();
    scrollTo(0.2);
    const { user, container } = open();
    const done = await screen.findByRole('button', { name: '다 읽었어요 +5P' });
    expect(done).toHaveAttribute('aria-disabled', 'true');
    expect(done).toHaveAccessibleDescription('조금만 더 읽으면 마칠 수 있어요');
    expect(await axeViolations(container)).toEqual([]);
    scrollTo(0.81);
    await waitFor(() => expect(done).not.toHaveAttribute('aria-disabled'));
    await user.click(done);
    const sheet = await screen.findByRole('dialog', { name: '확인 문제' });
    await user.click(within(sheet).getByRole('radio', { name: '시장가 주문' }));
    await user.click(within(sheet).getByRole('button', { name: '확인' }));
    expect(await within(sheet).findByText('아쉬워요. 글에서 다시 찾아볼까요?')).toBeInTheDocument();
    await user.click(within(sheet).getByRole('radio', { name: '지정가 주문' }));
    await user.click(within(sheet).getByRole('button', { name: '확인' }));
    expect(await screen.findByRole('heading', { name: '+5P 받았어요' })).toBeInTheDocument();
    expect(screen.getByText('지정가는 값을 적어요.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '도움이 됐어요' }));
    await waitFor(() => expect(answers).toEqual(['91 1 false', '91 2 false', '91 GOOD true']));
    expect(opened).toEqual(['orders-1 100001']);
  });

  it('can be skipped to its end', async () => {
    serve();
    scrollTo(0.1);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '끝으로 건너뛰기' }));
    expect(screen.getByRole('button', { name: '다 읽었어요 +5P' })).not.toHaveAttribute('aria-disabled');
  });

  it('counts down what is left of thirty seconds, as the server says', async () => {
    serve({ complete: { canComplete: false, secondsLeft: 12 } });
    scrollTo(1);
    const { user } = open();
    const done = await screen.findByRole('button', { name: '다 읽었어요 +5P' });
    await waitFor(() => expect(done).not.toHaveAttribute('aria-disabled'));
    await user.click(done);
    expect(await screen.findByText(/^\d+초만 더 읽어주세요$/)).toBeInTheDocument();
    expect(screen.queryByRole('dialog', { name: '확인 문제' })).toBeNull();
  });

  it('explains its words in place, and words within the explanation', async () => {
    serve();
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '호가창' }));
    const sheet = await screen.findByRole('dialog', { name: '호가' });
    expect(await within(sheet).findByText('사거나 팔겠다고 부르는 값')).toBeInTheDocument();
    await user.click(within(sheet).getByRole('button', { name: '매도호가' }));
    expect(await screen.findByText('이 말은 아직 사전에 없어요')).toBeInTheDocument();
  });

  it('remembers the size of its text and the place where it was left', async () => {
    serve();
    scrollTo(0.4);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '글자 크기' }));
    await user.click(await screen.findByRole('button', { name: '크게' }));
    expect(localStorage.getItem('reader-size')).toBe('large');
    await waitFor(() => expect(localStorage.getItem('reading-positions')).toContain('["orders-1",0.4]'));
  });

  it('is read by visitors, who are told what a member gets', async () => {
    endSession('logout');
    serve({ read: { memberEducationSid: null } });
    const { container } = open();
    expect(await screen.findByText('로그인하면 읽고 포인트도 받을 수 있어요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '로그인하기' })).toHaveAttribute('href', '/login?next=%2Fstudy-v2%2Freadable%2Forders-1');
    expect(screen.queryByRole('button', { name: /다 읽었어요/ })).toBeNull();
    expect(opened).toEqual(['orders-1 0']);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('says so when there is none', async () => {
    server.use(http.post('*/api/v1/education/article/get-article/:a/:b', () => HttpResponse.json({ code: 6001, reason: 'STUDY_NOT_FOUND', message: '' }, { status: 404 })));
    open('/study-v2/readable/nothing');
    expect(await screen.findByText('아티클을 찾을 수 없어요')).toBeInTheDocument();
  });
});

describe('the other screens', () => {
  it('list the glossary and open a word by its address', async () => {
    serve();
    const { container } = open(`/study-v2/glossary/${encodeURIComponent('호가')}`);
    expect(await screen.findByRole('dialog', { name: '호가' })).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('show a month with what happened on each day, and change the rest day', async () => {
    serve();
    let chosen: unknown = null;
    server.use(
      http.get('*/api/v1/education/calendar/:id', ({ request }) => {
        const month = new URL(request.url).searchParams.get('month');
        return HttpResponse.json({ month, days: [{ date: `${month}-01`, points: 63, answered: 5, correct: 4, sets: 1, articles: 1, streak: 'FREEZE' }] });
      }),
      http.put('*/api/v1/education/rest-day/:id', async ({ request }) => {
        chosen = await request.json();
        return HttpResponse.json({ weekday: null, nextWeekday: 7, nextFrom: '2026-11-30' });
      }),
    );
    const { user, container } = open('/study-v2/calendar');
    await user.click(await screen.findByRole('button', { name: /월 1일, 지킴이/ }));
    expect(screen.getByText('63P')).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(await screen.findByRole('button', { name: /쉬는 날 없음/ }));
    const sheet = await screen.findByRole('dialog', { name: '쉬는 요일 고르기' });
    await user.click(within(sheet).getByRole('button', { name: '일요일' }));
    await user.click(within(sheet).getByRole('button', { name: '저장하기' }));
    await waitFor(() => expect(chosen).toEqual({ weekday: 7 }));
  });

  it('are not found elsewhere', () => {
    serve();
    open('/study-v2/nothing');
    expect(screen.getByRole('heading', { name: '찾는 페이지가 없어요' })).toBeInTheDocument();
  });
});
