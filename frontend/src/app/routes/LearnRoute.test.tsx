import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Progress, TradeCard } from '@/features/learn/learnTypes';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { card, concentrationCard, contractCard, daily, progress, quiz, term, theme, tradeCard } from '@/testing/learnSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import LearnRoute from './LearnRoute';

let repairs: unknown[] = [];
let searches: string[] = [];

function serve({ own = progress, random = daily.random, cards = [] }: { own?: Progress; random?: typeof daily.random; cards?: TradeCard[] } = {}) {
  server.use(
    http.get('*/api/v1/education/cards/:id', () => HttpResponse.json(cards)),
    http.get('*/api/v1/education/daily/:id', () => HttpResponse.json({ ...daily, random })),
    http.get('*/api/v1/education/dailyQuiz/progress/v2/:id', () => HttpResponse.json(own)),
    http.get('*/api/v1/education/dailyQuiz/theme/meta', () => HttpResponse.json([theme])),
    http.post('*/api/v1/education/dailyQuiz/random/:id', () => HttpResponse.json([quiz])),
    http.get('*/api/v1/education/articles/search/:text/:limit', ({ params }) => {
      searches.push(`${String(params.text)} ${String(params.limit)}`);
      return HttpResponse.json([{ sid: 'orders-1', educationTitle: '주문과 체결', title: card.title, figure: null, snippet: [{ text: '화면의 ', isMatch: false }, { text: '호가', isMatch: true }] }]);
    }),
    http.get('*/api/v1/education/articles/:state/:a/:b', ({ params }) =>
      HttpResponse.json(params.state === 'history' ? { rows: [], page: 0, hasNext: false, total: 0 } : { rows: [card], page: Number(params.b), hasNext: false, total: 1 }),
    ),
    http.get('*/api/v1/education/articles/:id', () => HttpResponse.json({ rows: [card], page: 0, hasNext: false, total: 1 })),
    http.get('*/api/v1/education/glossary', () => HttpResponse.json([term])),
    http.get('*/api/v1/education/calendar/:id', () => HttpResponse.json({ month: '2026-11', days: [] })),
    http.post('*/api/v1/education/streak/repair/:id', async ({ request }) => {
      repairs.push(await request.json());
      return HttpResponse.json({ ...own.streak, repair: null });
    }),
  );
}

const open = (screenName: 'home' | 'articles' = 'home') => renderApp(<LearnRoute screen={screenName} />);

beforeEach(() => {
  repairs = [];
  searches = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

describe('the learning tab', () => {
  it('shows today, the streak, what is due, themes, the word of the day and articles', async () => {
    serve();
    const { container } = open();
    expect(await screen.findByText('6일 연속 학습')).toBeInTheDocument();
    expect(await screen.findByRole('img', { name: '5문제 중 2문제 풀었어요' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '이어서 풀기' })).toHaveAttribute('href', '/study-v2/quiz/random');
    expect(screen.getByText('오늘 33/100P')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /복습할 문제 3개가 기다려요/ })).toHaveAttribute('href', '/study-v2/quiz/review');
    expect(screen.getByText('1,240P')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /예금과 적금.*30문제 중 7문제 풀었어요/ })).toHaveAttribute('href', '/study-v2/quiz/theme/deposits');
    expect(await screen.findByRole('button', { name: /호가/ })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /시장가와 지정가/ })).toHaveAttribute('href', '/study-v2/readable/orders-1');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('explains what own trades show, with their numbers', async () => {
    const fee: TradeCard = { ...tradeCard, kind: 'FEE', won: 107, term: null };
    serve({ cards: [tradeCard, { ...tradeCard, kind: 'TAX', isDue: false }, fee] });
    const { user, container } = open();
    expect(await screen.findByText('내 주문에서 3틱, 1,200원이 슬리피지였어요')).toBeVisible();
    expect(screen.getByText('내 주문의 수수료는 107원이었어요')).toBeVisible();
    expect(screen.queryByText(/세금/)).toBeNull();
    const [what] = screen.getAllByRole('button', { name: '이게 뭐예요?' });
    expect(what).toHaveAccessibleDescription('내 주문에서 3틱, 1,200원이 슬리피지였어요');
    expect(screen.queryByRole('link', { name: '문제 풀어보기' })).toBeNull();
    await user.click(what as HTMLElement);
    expect(screen.getByText('슬리피지: 주문할 때 생각한 값과 체결된 값의 차이')).toBeVisible();
    expect(screen.getByRole('link', { name: '문제 풀어보기' })).toHaveAttribute('href', '/study-v2/quiz/card/501/slippage');
    expect(screen.getByRole('link', { name: '글 읽기' })).toHaveAttribute('href', '/study-v2/readable/orders-3');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('explains a contract that was closed early and a purchase that left much in one item', async () => {
    serve({ cards: [contractCard, concentrationCard] });
    const { user } = open();
    expect(await screen.findByText('새싹 정기예금 해지')).toBeVisible();
    expect(screen.getByText('세금을 떼기 전으로, 만기까지 뒀다면 이자 12,300원, 받은 이자는 1,200원이에요')).toBeVisible();
    expect(screen.getByText('삼성전자가 내 자산의 52.3%예요')).toBeVisible();
    for (const what of screen.getAllByRole('button', { name: '이게 뭐예요?' })) await user.click(what);
    expect(screen.getByText('중도해지: 만기가 되기 전에 계약을 깨고 돈을 찾는 일')).toBeVisible();
    const [ofContract, ofPurchase] = screen.getAllByRole('link', { name: '문제 풀어보기' });
    expect(ofContract).toHaveAttribute('href', '/study-v2/quiz/card/100000000103/early_close');
    expect(ofPurchase).toHaveAttribute('href', '/study-v2/quiz/card/005930/concentration');
  });

  it('says that today is done, and leads to the result', async () => {
    serve({ random: { ...daily.random, done: 5, isDone: true } });
    open();
    expect(await screen.findByText('오늘의 퀴즈를 다 풀었어요')).toBeInTheDocument();
    expect(screen.getByText('내일 새로운 퀴즈로 만나요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '결과 보기' })).toBeInTheDocument();
  });

  it('repairs a broken streak once, however often it is tapped', async () => {
    serve({ own: { ...progress, streak: { ...progress.streak, current: 0, repair: { date: '2026-11-24', streak: 5, points: 50, until: '2026-11-25T24:00:00+09:00' } } } });
    const { user } = open();
    expect(await screen.findByText('50P로 이어갈 수 있어요.')).toBeInTheDocument();
    await user.dblClick(screen.getByRole('button', { name: '되살리기' }));
    expect(await screen.findByText('연속 학습을 되살렸어요')).toBeInTheDocument();
    expect(new Set(repairs.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('keeps its other sections when one fails', async () => {
    serve();
    server.use(http.get('*/api/v1/education/dailyQuiz/theme/meta', () => HttpResponse.json({ code: 9, reason: 'X', message: '' }, { status: 400 })));
    open();
    expect(await screen.findByText('6일 연속 학습')).toBeInTheDocument();
    expect(await screen.findByRole('alert')).toHaveTextContent('불러오지 못했어요');
  });
});

describe('the articles', () => {
  it('are divided into read and unread ones', async () => {
    serve();
    const { user, container } = open('articles');
    expect(await screen.findByRole('link', { name: /시장가와 지정가/ })).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('tab', { name: '읽은 글' }));
    expect(await screen.findByText('아직 읽은 글이 없어요')).toBeInTheDocument();
  });

  it('are searched 200 ms after the last letter, at most fifteen, with slashes and percents', async () => {
    serve();
    const { user } = open('articles');
    await user.click(await screen.findByRole('button', { name: '아티클 검색' }));
    const sheet = await screen.findByRole('dialog', { name: '아티클 검색' });
    expect(within(sheet).getByText('검색어를 입력하세요.')).toBeInTheDocument();
    await user.type(within(sheet).getByPlaceholderText('아티클을 검색하세요'), '3/4 %');
    expect(await within(sheet).findByRole('link', { name: /주문과 체결.*화면의 호가/ })).toHaveAttribute('href', '/study-v2/readable/orders-1');
    await waitFor(() => expect(searches).toEqual(['3/4 % 15']));
  });
});
