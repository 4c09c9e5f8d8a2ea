import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityRoute from './CommunityRoute';
import { ownPost, picture, post } from './communitySamples';


const LIST = '*/api/v1/community/list';
let posts: Post[];
let top: Post[];
let asked: URLSearchParams[];
let newer: number;

const open = (at = '/community') =>
  renderApp(
    <Routes>
      <Route path="/community" element={<CommunityRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );
const address = () => screen.getByTestId('address').textContent;
const card = (name: string, at = 0) => screen.getAllByRole('article', { name })[at] as HTMLElement;

beforeEach(() => {
  posts = [post(3, { content: 'Third' }), post(2), post(1)];
  top = [];
  asked = [];
  newer = 0;
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get(LIST, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ posts, cursor: null });
    }),
    http.get('*/api/v1/community/top-3', () => HttpResponse.json({ posts: top })),
    http.get('*/api/v1/community/new-count', () => HttpResponse.json({ count: newer })),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  act(() => endSession('logout'));
});

describe('the list', () => {
  it('shows who wrote what, when, and how it was received', async () => {
    posts = [
      post(9, { nickname: 'Operator', isOperator: true, writerId: 23_488, category: 'NOTICE', content: 'Welcome', level: null }),
      post(8, { modDate: new Date().toISOString(), likeCount: 1_234, commentCount: 7, isComment: true, contentImg: '/files/a/1920,/files/b/1920', images: [picture('a'), picture('b')], tags: [{ code: '005930', name: '삼성전자', isHeld: true }] }),
      ownPost(7, { status: 'HELD' }),
      ownPost(6, { status: 'HIDDEN', level: null }),
    ];
    const { container } = open();
    const notice = await screen.findByRole('article', { name: 'Operator' });
    expect(screen.getByRole('heading', { level: 1, name: '커뮤니티' })).toBeVisible();
    expect(notice).toHaveTextContent('Operator운영자5분 전공지Welcome');
    // The operator has no profile, and nothing of theirs is reported.
    expect(within(notice).queryByRole('link', { name: 'Operator' })).toBeNull();
    expect(within(notice).queryByRole('button', { name: /메뉴/ })).toBeNull();

    const ann = card('Ann');
    expect(ann).toHaveTextContent('Ann중산층5분 전 (수정됨)주식Post 8');
    expect(within(ann).getByRole('link', { name: 'Ann' })).toHaveAttribute('href', '/community/user-profile/200001');
    expect(within(ann).getByRole('link', { name: 'Post 8' })).toHaveAttribute('href', '/community/detail?communitySid=8');
    expect(within(ann).getByRole('link', { name: '댓글 7개' })).toHaveAttribute('href', '/community/detail?communitySid=8');
    expect(within(ann).getByRole('button', { name: '좋아요 1,234개' })).toHaveAttribute('aria-pressed', 'false');
    expect(within(ann).getAllByRole('img').map((picture) => picture.getAttribute('alt'))).toEqual(['Ann님이 올린 사진 1', 'Ann님이 올린 사진 2']);
    expect(within(ann).getByRole('link', { name: '$삼성전자보유 중' })).toHaveAttribute('href', '/invest-v2/stock/005930');

    expect(card('Me')).toHaveTextContent('확인하고 올릴게요');
    expect(within(card('Me')).getByRole('link', { name: 'Me' })).toHaveAttribute('href', '/my/posts');
    expect(card('Me', 1)).toHaveTextContent('신고가 쌓여 가려졌어요');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('waits for the layout only with pictures that are not seen first', async () => {
    posts = [9, 8, 7].map((sid) => post(sid, { images: [picture(`a${sid}`), picture(`b${sid}`)] }));
    open();
    const pictures = (await screen.findAllByRole('img', { name: /사진/ })).map((image) => [image.getAttribute('loading'), image.getAttribute('fetchpriority')]);
    const held = ['lazy', null];
    expect(pictures).toEqual([[null, 'high'], held, [null, 'high'], held, held, held]);
  });

  it('asks for the first page without a cursor, and then goes on by it, each post once', async () => {
    server.use(
      http.get(LIST, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query);
        if (query.get('cursor') === null) return HttpResponse.json({ posts, cursor: 'after-1' });
        return HttpResponse.json({ posts: [post(1), post(4, { content: 'Older' })], cursor: null });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('Older')).toBeVisible();
    expect(screen.getAllByText('Post 1')).toHaveLength(1);
    expect(screen.getByText('다 봤어요')).toBeVisible();
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ category: 'ALL', type: 'LATEST', size: '20', memberSid: String(MEMBER_SID) });
    expect(asked[1]?.get('cursor')).toBe('after-1');
  });

  it('is filtered by kind and order, which the address remembers', async () => {
    const { user } = open();
    await screen.findByText('Third');
    const kinds = within(screen.getByRole('group', { name: '글 종류' }));
    expect(kinds.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['전체', '자유', '주식', '코인', '예적금', '공부', '공지']);
    await user.click(kinds.getByRole('button', { name: '코인' }));
    expect(address()).toBe('/community?category=COIN');
    const orders = screen.getByRole('group', { name: '글 순서' });
    expect(within(orders).getAllByRole('button').map((button) => [button.textContent, button.getAttribute('aria-pressed')])).toEqual([
      ['최신', 'true'],
      ['인기', 'false'],
      ['팔로우', 'false'],
    ]);
    // It orders what the chips filter, and is no second row of them.
    expect(orders).not.toHaveClass(screen.getByRole('group', { name: '글 종류' }).className);
    await user.click(screen.getByRole('button', { name: '인기' }));
    expect(address()).toBe('/community?category=COIN&type=HOT');
    await waitFor(() => expect(asked.at(-1)?.get('type')).toBe('HOT'));
    expect(asked.at(-1)?.get('category')).toBe('COIN');
    await user.click(screen.getByRole('button', { name: '최신' }));
    expect(address()).toBe('/community?category=COIN');
  });

  it('can be about one instrument', async () => {
    posts = [post(1, { tags: [{ code: '005930', name: '삼성전자', isHeld: false }] })];
    const { user } = open('/community?type=ITEM&code=005930');
    expect(await screen.findByText('삼성전자 글만 보고 있어요')).toBeVisible();
    expect(asked[0]?.get('code')).toBe('005930');
    await user.click(screen.getByRole('button', { name: '모든 글 보기' }));
    expect(address()).toBe('/community');
  });

  it.each([
    ['/community', '아직 올라온 글이 없어요', ['link', '첫 글 쓰기']],
    ['/community?category=NOTICE', '아직 올라온 글이 없어요', null],
    ['/community?type=FOLLOW', '팔로우한 사람의 글이 여기에 모여요', ['button', '모든 글 보기']],
    // Without an instrument it is the usual list.
    ['/community?type=ITEM', '아직 올라온 글이 없어요', ['link', '첫 글 쓰기']],
  ] as const)('may be empty at %s', async (at, text, action) => {
    posts = [];
    const { container } = open(at);
    expect(await screen.findByText(text)).toBeVisible();
    if (action) expect(screen.getByRole(action[0], { name: action[1] })).toBeVisible();
    else expect(screen.queryByRole('link', { name: '첫 글 쓰기' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be retried after a failure to load', async () => {
    server.use(http.get(LIST, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(LIST, () => HttpResponse.json({ posts, cursor: null })));
    await user.click(retry);
    expect(await screen.findByText('Third')).toBeVisible();
  });

  it('shows four lines, and the rest when asked for', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(200);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(96);
    posts = [post(1)];
    const { user } = open();
    const more = await screen.findByRole('button', { name: '더 보기' });
    expect(more).toHaveAttribute('aria-expanded', 'false');
    await user.click(more);
    expect(screen.getByRole('button', { name: '접기' })).toHaveAttribute('aria-expanded', 'true');
    await user.click(screen.getByRole('button', { name: '접기' }));
    expect(screen.getByRole('button', { name: '더 보기' })).toBeVisible();
  });
});

describe('the best posts', () => {
  it('stand above the newest ones', async () => {
    top = [post(50, { content: 'Best', likeCount: 30, commentCount: 4 })];
    open();
    const region = await screen.findByRole('region', { name: '인기 글' });
    const link = await within(region).findByRole('link', { name: /Best/ });
    expect(link).toHaveAttribute('href', '/community/detail?communitySid=50');
    expect(link).toHaveTextContent('Ann중산층Best좋아요 30개 · 댓글 4개');
  });

  it('fail by themselves', async () => {
    server.use(http.get('*/api/v1/community/top-3', () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    expect(await screen.findByText('Third')).toBeVisible();
    const region = screen.getByRole('region', { name: '인기 글' });
    const retry = await within(region).findByRole('button', { name: '다시 시도' });
    server.use(http.get('*/api/v1/community/top-3', () => HttpResponse.json({ posts: [post(50, { content: 'Best' })] })));
    await user.click(retry);
    expect(await within(region).findByText('Best')).toBeVisible();
  });
});

describe('liking', () => {
  it('shows at once, ignores a second tap, and takes the count of the server', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const calls: string[] = [];
    server.use(
      http.put('*/api/v1/community/:like', async ({ request, params }) => {
        calls.push(`${String(params.like)} ${new URL(request.url).searchParams.get('sid')}`);
        await held;
        return HttpResponse.json({ sid: 3, isLike: true, likeCount: 12 });
      }),
    );
    const { user } = open();
    await screen.findByText('Third');
    const heart = () => within(card('Ann')).getByRole('button', { name: /좋아요/ });
    await user.click(heart());
    expect(heart()).toHaveAttribute('aria-pressed', 'true');
    expect(heart()).toHaveAccessibleName('좋아요 3개');
    await user.click(heart());
    expect(heart()).toHaveAttribute('aria-pressed', 'true');
    answer();
    await waitFor(() => expect(heart()).toHaveAccessibleName('좋아요 12개'));
    expect(calls).toEqual(['like-up 3']);
  });

  it('is reverted silently after a failure', async () => {
    posts = [post(3, { isLike: true })];
    server.use(http.put('*/api/v1/community/like-down', () => problem(404, 5001, 'POST_NOT_FOUND')));
    const { user } = open();
    const heart = await screen.findByRole('button', { name: '좋아요 2개' });
    await user.click(heart);
    await waitFor(() => expect(heart).toHaveAttribute('aria-pressed', 'true'));
    expect(heart).toHaveAccessibleName('좋아요 2개');
    expect(document.querySelector('[popover]')).toBeEmptyDOMElement();
  });

  it('does nothing for a visitor', async () => {
    act(() => endSession('logout'));
    const { user } = open();
    const heart = (await screen.findAllByRole('button', { name: '좋아요 2개' }))[0] as HTMLElement;
    await user.click(heart);
    expect(heart).toHaveAttribute('aria-pressed', 'false');
    expect(asked[0]?.has('memberSid')).toBe(false);
    // Following needs a member.
    expect(screen.queryByRole('button', { name: '팔로우' })).toBeNull();
  });
});

describe('newer posts', () => {
  it('are counted every minute, and loaded when the pill is tapped', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = open();
    await screen.findByText('Third');
    expect(screen.queryByRole('button', { name: /^새 글/ })).toBeNull();
    newer = 2;
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    const pill = await screen.findByRole('button', { name: '새 글 2개' });
    posts = [post(5, { content: 'Fifth' }), post(4), ...posts];
    newer = 0;
    await user.click(pill);
    expect(await screen.findByText('Fifth')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^새 글/ })).toBeNull());
  });

  it('come with the button, and a failure keeps what is there', async () => {
    const { user } = open();
    await screen.findByText('Third');
    server.use(http.get(LIST, () => problem(422, 9007, 'UNAVAILABLE')));
    await user.click(screen.getByRole('button', { name: '새로고침' }));
    expect(await screen.findByText('불러오지 못했어요')).toBeInTheDocument();
    expect(screen.getByText('Third')).toBeVisible();
  });

  it('come with a pull from the top, but not with a short one or from further down', async () => {
    open();
    await screen.findByText('Third');
    const before = asked.length;
    const pull = (px: number) => {
      fireEvent.touchStart(window, { touches: [{ clientY: 100 }] });
      fireEvent.touchMove(window, { touches: [{ clientY: 100 + px }] });
      fireEvent.touchEnd(window, { touches: [] });
    };
    pull(60);
    Object.defineProperty(window, 'scrollY', { value: 300, configurable: true });
    pull(200);
    Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
    expect(asked).toHaveLength(before);
    pull(200);
    await waitFor(() => expect(asked).toHaveLength(before + 1));
    expect(document.documentElement.style.overscrollBehaviorY).toBe('contain');
  });
});

describe('offline', () => {
  it('writing waits for the connection', async () => {
    const { user } = open();
    await screen.findByText('Third');
    expect(screen.getByRole('link', { name: '글쓰기' })).toHaveAttribute('href', '/community/new');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await user.click(screen.getByRole('button', { name: '글쓰기' }));
    expect(await screen.findByText('연결되면 할 수 있어요')).toBeInTheDocument();
    expect(address()).toBe('/community');
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });
});

describe('the menu of a post', () => {
  it('of another reports it with a reason', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/v1/community/report', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ sid: 1 });
      }),
    );
    posts = [post(3)];
    const { user, container } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann님 글 메뉴' }));
    const menu = await screen.findByRole('dialog', { name: '글 메뉴' });
    expect(within(menu).queryByRole('button', { name: '삭제하기' })).toBeNull();
    await user.click(within(menu).getByRole('button', { name: '신고하기' }));
    const sheet = await screen.findByRole('dialog', { name: '어떤 점이 문제인가요?' });
    expect(within(sheet).getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual(['욕설', '스팸/리딩방', '허위·시세조종', '음란', '개인정보', '기타']);
    await user.click(within(sheet).getByRole('button', { name: '신고하기' }));
    expect(within(sheet).getByText('이유를 골라주세요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('radio', { name: '스팸/리딩방' }));
    const words = within(sheet).getByRole('textbox', { name: '더 알려줄 내용 (선택)' });
    fireEvent.change(words, { target: { value: 'a'.repeat(301) } });
    await user.click(within(sheet).getByRole('button', { name: '신고하기' }));
    expect(within(sheet).getByText('300자까지 적을 수 있어요')).toBeVisible();
    expect(sent).toEqual([]);
    fireEvent.change(words, { target: { value: ' Invites to a chat ' } });
    await user.click(within(sheet).getByRole('button', { name: '신고하기' }));
    expect(await screen.findByText('신고를 받았어요. 확인해볼게요.')).toBeInTheDocument();
    expect(sent).toEqual([{ memberSid: MEMBER_SID, kind: 'POST', sid: 3, reason: 'SPAM', text: 'Invites to a chat' }]);
  });

  it('tells why a report failed', async () => {
    server.use(http.post('*/api/v1/community/report', () => HttpResponse.json({ code: 5001, reason: 'POST_NOT_FOUND', message: '글을 찾지 못했어요', traceId: '' }, { status: 404 })));
    posts = [post(3)];
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '신고하기' }));
    const sheet = await screen.findByRole('dialog', { name: '어떤 점이 문제인가요?' });
    await user.click(within(sheet).getByRole('radio', { name: '욕설' }));
    await user.click(within(sheet).getByRole('button', { name: '신고하기' }));
    expect(await screen.findByText('글을 찾지 못했어요')).toBeInTheDocument();
  });

  it('leads a visitor to the login', async () => {
    act(() => endSession('logout'));
    const { user } = open();
    await user.click((await screen.findAllByRole('button', { name: 'Ann님 글 메뉴' }))[0] as HTMLElement);
    await user.click(await screen.findByRole('button', { name: '차단하기' }));
    await user.click(await screen.findByRole('button', { name: '로그인하기' }));
    await waitFor(() => expect(address()).toBe('/login?next=%2Fcommunity'));
  });

  it('of oneself edits or deletes', async () => {
    const deleted: string[] = [];
    server.use(
      http.delete('*/api/v1/community/delete-post', ({ request }) => {
        deleted.push(new URL(request.url).searchParams.get('sid') ?? '');
        posts = posts.slice(1);
        return HttpResponse.json({ sid: 7 });
      }),
    );
    posts = [ownPost(7), post(1)];
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Me님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '삭제하기' }));
    const dialog = await screen.findByRole('dialog', { name: '내 의견을 삭제할까요?' });
    expect(dialog).toHaveTextContent('삭제 시 취소가 어려워요');
    await user.click(within(dialog).getByRole('button', { name: '삭제하기' }));
    expect(await screen.findByText('게시물이 삭제되었습니다.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Post 7')).toBeNull());
    expect(screen.getByText('Post 1')).toBeVisible();
    expect(deleted).toEqual(['7']);
    expect(address()).toBe('/community');
  });

  it('of oneself leads to the editor', async () => {
    posts = [ownPost(7)];
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Me님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '수정하기' }));
    await waitFor(() => expect(address()).toBe('/community/new?writeSid=7'));
  });

  it('tells of a failed deletion', async () => {
    server.use(http.delete('*/api/v1/community/delete-post', () => HttpResponse.error()));
    posts = [ownPost(7)];
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Me님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '삭제하기' }));
    const dialog = await screen.findByRole('dialog', { name: '내 의견을 삭제할까요?' });
    await user.click(within(dialog).getByRole('button', { name: '삭제하기' }));
    // The message moves out of the dialog that closes.
    await waitFor(() => expect(screen.getByText('게시글 삭제에 실패했습니다. 다시 시도해주세요.')).toBeInTheDocument());
    expect(screen.getByText('Post 7')).toBeVisible();
  });
});
