import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnsentAnswers } from '@/features/learn/quiz/UnsentAnswers';
import { forgetAnswer, unsentAnswersOf } from '@/features/learn/quiz/unsentAnswers';
import type { Quiz, StudyResult } from '@/features/learn/learnTypes';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { multiple, progress, quiz, result } from '@/testing/learnSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, MEMBER_SID } from '@/testing/wireSamples';
import QuizRoute from './QuizRoute';

interface Sent {
  sid: string;
  answer: string;
  answeredAt: string | null;
}

let sent: Sent[] = [];

function serve(quizzes: Quiz[], reply: (sid: number) => Response | StudyResult = () => result) {
  server.use(
    http.post('*/api/v1/education/dailyQuiz/random/:id', () => HttpResponse.json(quizzes)),
    http.put('*/api/v1/education/study-complete/:sid/:isCorrect/:point/:answer/:isSurvey', ({ params, request }) => {
      const { sid, answer } = params as { sid: string; answer: string };
      sent.push({ sid, answer, answeredAt: request.headers.get('X-Answered-At') });
      const answered = reply(Number(sid));
      return answered instanceof Response ? answered : HttpResponse.json(answered);
    }),
    http.get('*/api/v1/education/dailyQuiz/progress/v2/:id', () => HttpResponse.json(progress)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
  );
}

const open = () => renderApp(<QuizRoute deck={{ kind: 'random' }} />, { at: '/study-v2/quiz/random' });
const confirm = () => screen.getByRole('button', { name: '확인' });
const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
};

beforeEach(() => {
  sent = [];
  for (const answer of unsentAnswersOf(MEMBER_SID)) forgetAnswer(answer);
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

describe('a run of quizzes', () => {
  it('grades a wrong answer, says what is right and why, and goes on to the result', async () => {
    serve([quiz, multiple], (sid) => (sid === 11 ? result : { ...result, isCorrect: true, answer: ['2', '3'], point: 10, setBonus: 10, optionDescription: {} }));
    const { user, container } = open();
    expect(await screen.findByRole('heading', { level: 1, name: /세금을 떼기 전 이자는/ })).toHaveFocus();
    expect(screen.getByRole('progressbar', { name: '퀴즈 진행' })).toHaveAttribute('aria-valuetext', '2문제 중 1번째');
    expect(confirm()).toHaveAttribute('aria-disabled', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('radio', { name: '30,000원' }));
    await user.click(confirm());
    const verdict = await screen.findByRole('heading', { name: '아쉬워요' });
    await waitFor(() => expect(verdict).toHaveFocus());
    expect(screen.getByText('정답은 15,000원이에요 · +3P 받았어요')).toBeInTheDocument();
    expect(within(screen.getByRole('region', { name: '해설' })).getByText('6개월은 1년의 절반이에요.')).toBeInTheDocument();
    expect(screen.getByText('1년 이자를 고른 것 같아요.')).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);

    await user.click(screen.getByRole('button', { name: '다음 문제' }));
    expect(screen.getByText('2개 골라주세요')).toBeInTheDocument();
    for (const name of ['시가총액', '내 몫', '한 주의 값']) await user.click(screen.getByRole('checkbox', { name }));
    // Only as many ticks as there are right answers.
    expect(screen.getByRole('checkbox', { name: '한 주의 값' })).not.toBeChecked();
    await user.click(confirm());
    await screen.findByRole('heading', { name: '정답이에요!' });
    await user.click(screen.getByRole('button', { name: '결과 보기' }));
    expect(await screen.findByText('1문제 맞혔어요')).toBeInTheDocument();
    expect(screen.getByText('+23P')).toBeInTheDocument();
    expect(screen.getByText('세트 완료 보너스 10P')).toBeInTheDocument();
    expect(await screen.findByText('42개')).toBeInTheDocument();
    expect(await screen.findByText(/다음 레벨까지 \d+%$/)).toBeVisible();
    expect(sent).toEqual([
      { sid: '11', answer: '3', answeredAt: null },
      { sid: '12', answer: '2|3', answeredAt: null },
    ]);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '틀린 문제 다시 보기' }));
    expect(await screen.findByText('한 달 치를 구한 것 같아요.')).toBeInTheDocument();
  });

  it('is answered by keyboard alone', async () => {
    serve([quiz]);
    const { user } = open();
    await screen.findByRole('radio', { name: '2,500원' });
    screen.getByRole('radio', { name: '2,500원' }).focus();
    await user.keyboard('{ArrowDown} {Enter}');
    await screen.findByRole('heading', { name: '아쉬워요' });
    expect(sent[0]?.answer).toBe('2');
  });

  it('resumes at the first question that is not answered', async () => {
    serve([{ ...quiz, isSubmit: true, isCorrect: true, inputAnswer: ['2'], answer: ['2'], answerDescription: '', optionDescription: {}, point: 10 }, multiple]);
    open();
    expect(await screen.findByRole('heading', { level: 1, name: /액면분할/ })).toBeInTheDocument();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '1');
  });

  it('asks before leaving, and says that answers are saved', async () => {
    serve([quiz]);
    const { user } = open();
    await screen.findByRole('radio', { name: '2,500원' });
    await user.click(screen.getByRole('button', { name: '퀴즈 닫기' }));
    const dialog = screen.getByRole('dialog', { name: '퀴즈를 그만할까요?' });
    expect(within(dialog).getByText('지금까지 푼 문제는 저장했어요')).toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: '나가기' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/study-v2'));
  });

  it('shows a hint when asked for', async () => {
    serve([quiz]);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '힌트 보기' }));
    expect(screen.getByText('금리는 1년을 맡겼을 때의 값이에요.')).toBeInTheDocument();
  });

  it('says so when there is nothing to answer', async () => {
    serve([]);
    open();
    expect(await screen.findByText('지금은 풀 수 있는 퀴즈가 없어요')).toBeInTheDocument();
  });
});

describe('an answer that is not saved', () => {
  it('is saved again with the time of the first try, and the next question waits for that', async () => {
    let failures = 1;
    serve([quiz, multiple], () => (failures-- > 0 ? HttpResponse.error() : result));
    const { user, container } = open();
    await user.click(await screen.findByRole('radio', { name: '30,000원' }));
    await user.click(confirm());
    expect(await screen.findByText('결과를 저장하지 못했어요')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: '다음 문제' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '다시 저장' }));
    await screen.findByRole('heading', { name: '아쉬워요' });
    expect(sent).toHaveLength(2);
    expect(sent[0]?.answeredAt).toBeNull();
    expect(Date.parse(sent[1]?.answeredAt ?? '')).not.toBeNaN();
  });

  it('waits without a connection, marked, and is graded once there is one', async () => {
    serve([quiz, multiple]);
    const { user } = renderApp(
      <>
        <QuizRoute deck={{ kind: 'random' }} />
        <UnsentAnswers memberSid={MEMBER_SID} />
      </>,
    );
    await screen.findByRole('radio', { name: '30,000원' });
    setOnline(false);
    await user.click(screen.getByRole('radio', { name: '30,000원' }));
    await user.click(confirm());
    expect(await screen.findByRole('heading', { name: '답을 적어 뒀어요' })).toBeInTheDocument();
    expect(sent).toEqual([]);
    expect(localStorage.getItem('unsent-answers')).toContain('"sid":11');
    await user.click(screen.getByRole('button', { name: '다음 문제' }));
    setOnline(true);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ sid: '11', answer: '3' });
    expect(Date.parse(sent[0]?.answeredAt ?? '')).not.toBeNaN();
    expect(await screen.findByText('적어 둔 답 1개를 채점했어요')).toBeInTheDocument();
    expect(unsentAnswersOf(MEMBER_SID)).toEqual([]);
  });

  it('is given up where the server refuses it for good, and the next is sent', async () => {
    const { keepAnswer } = await import('@/features/learn/quiz/unsentAnswers');
    serve([quiz], (sid) => (sid === 1 ? HttpResponse.json({ code: 6001, reason: 'STUDY_NOT_FOUND', message: '' }, { status: 404 }) : result));
    for (const sid of [1, 2]) keepAnswer({ memberSid: MEMBER_SID, sid, answer: ['1'], answeredAt: '2026-11-25T09:00:00.000Z' });
    renderApp(<UnsentAnswers memberSid={MEMBER_SID} />);
    await waitFor(() => expect(unsentAnswersOf(MEMBER_SID)).toEqual([]));
    expect(sent.map(({ sid }) => sid)).toEqual(['1', '2']);
  });
});
