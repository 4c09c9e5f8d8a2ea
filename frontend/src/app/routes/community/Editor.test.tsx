import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Link, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Comment, Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import CommunityWriteRoute from './CommunityWriteRoute';
import { comment, ownComment, ownPost, post } from './communitySamples';

let sent: { call: string; body: Record<string, unknown> }[];
let quoted: Post;
let commented: Comment;

const DRAFT = `draft ${String(MEMBER_SID)} community post`;

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/community/new" element={<CommunityWriteRoute />} />
      <Route
        path="/start"
        element={
          <>
            <Link to="/community/new?boardSid=1&isComment=true">comment</Link>
            <Link to="/community/new?writeSid=1" state={{ fromDetail: true }}>
              edit
            </Link>
            <Link to="/community/new">write</Link>
          </>
        }
      />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );
const address = () => screen.getByTestId('address').textContent;
const field = () => screen.findByRole('textbox', { name: '내용' });
const submit = (name = '올리기') => screen.getByRole('button', { name });
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });

beforeEach(() => {
  sent = [];
  quoted = post(1, { content: 'What they wrote' });
  commented = comment(11, { content: 'What they said' });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  const record = (call: string, reply: (body: Record<string, unknown>) => object) => async ({ request }: { request: Request }) => {
    const body = (await request.json()) as Record<string, unknown>;
    sent.push({ call, body });
    return HttpResponse.json(reply(body));
  };
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(quoted)),
    http.get('*/api/v1/community/standing/:sid', () => HttpResponse.json({ sanction: null })),
    http.get('*/api/v1/community/comment-detail', () => HttpResponse.json(commented)),
    http.post('*/api/v1/community/post', record('post', () => ownPost(9))),
    http.put('*/api/v1/community/post', record('put post', () => ownPost(1))),
    http.post('*/api/v1/community/comment', record('comment', () => ownComment(12))),
    http.put('*/api/v1/community/comment', record('put comment', () => ownComment(11))),
    http.post('*/api/v1/community/answer', record('answer', () => ownComment(13, { parentSid: 11 }))),
    http.get('*/api/v1/stock/popular/member/:sid', () => HttpResponse.json([samsung])),
    http.get('*/api/v1/coin/popular/member/:id', () => HttpResponse.json([{ ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' }])),
    http.get('*/api/v1/stock/search/get-stock-list', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('searchTxt') === '카카' ? [{ ...samsung, isuSrtCd: '035720', isuKorNm: '카카오' }] : []),
    ),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  act(() => endSession('logout'));
});

describe('a new post', () => {
  it('is sent once with its kind, and leads to its detail', async () => {
    const { user, container } = open('/community/new');
    expect(await field()).toHaveAttribute('placeholder', '투자하면서 느낀 점을 나눠보세요');
    expect(screen.getByRole('heading', { level: 1, name: '글쓰기' })).toBeVisible();
    const kinds = within(screen.getByRole('group', { name: '글 종류' })).getAllByRole('button');
    expect(kinds.map(({ textContent }) => textContent)).toEqual(['자유', '주식', '코인', '예적금', '공부']);
    expect(kinds[0]).toHaveAttribute('aria-pressed', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(kinds[2] as HTMLElement);
    await type('  First thoughts  ');
    expect(screen.getByText('14/2,000')).toBeVisible();
    await user.dblClick(submit());
    await waitFor(() => expect(address()).toBe('/community/detail?communitySid=9'));
    expect(screen.getByText('글을 올렸어요')).toBeInTheDocument();
    expect(sent).toEqual([
      {
        call: 'post',
        body: { memberSid: MEMBER_SID, category: 'COIN', content: 'First thoughts', contentImg: '', tags: [], reqSid: expect.stringMatching(/^[\w-]{8,64}$/) as string },
      },
    ]);
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });

  it('says when it is held', async () => {
    server.use(http.post('*/api/v1/community/post', () => HttpResponse.json(ownPost(9, { status: 'HELD' }))));
    const { user } = open('/community/new');
    await type('Doubtful');
    await user.click(submit());
    expect(await screen.findByText('확인하고 올릴게요')).toBeInTheDocument();
  });

  it('needs some text', async () => {
    const { user } = open('/community/new');
    await type('   ');
    await user.click(submit());
    expect(screen.getByRole('alert')).toHaveTextContent('내용을 적어주세요');
    expect(sent).toEqual([]);
  });

  it('counts its length, announces the end and keeps what is too long', async () => {
    const { user } = open('/community/new');
    await type('a'.repeat(1_799));
    expect(screen.queryByText(/남았어요/)).toBeNull();
    await type('a'.repeat(1_800));
    expect(screen.getByText('200자 남았어요')).toBeInTheDocument();
    await type('가'.repeat(2_001));
    expect(screen.getByText('2,000자까지 쓸 수 있어요')).toBeVisible();
    expect(await field()).toHaveAttribute('aria-invalid', 'true');
    expect(submit()).toHaveAttribute('aria-disabled', 'true');
    await user.click(submit());
    expect(sent).toEqual([]);
    // A composed syllable counts once, however it was typed.
    await type('가'.repeat(2_000).normalize('NFD'));
    expect(screen.getByText('2,000/2,000')).toBeVisible();
  });

  it('is kept after a failure or a rejection, and repeated under the same request id', async () => {
    const ids: unknown[] = [];
    let answer = () => HttpResponse.error();
    server.use(
      http.post('*/api/v1/community/post', async ({ request }) => {
        ids.push(((await request.json()) as { reqSid: string }).reqSid);
        return answer();
      }),
    );
    const { user } = open('/community/new');
    await type('Once');
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('올리지 못했어요. 다시 시도해주세요.'));
    expect(await field()).toHaveValue('Once');
    answer = () => HttpResponse.json({ code: 5010, reason: 'WRITING_RATE', message: '잠시 후에 써주세요', traceId: '' }, { status: 422 }) as never;
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('잠시 후에 써주세요'));
    await user.click(submit());
    await waitFor(() => expect(ids).toHaveLength(3));
    expect(new Set(ids).size).toBe(1);
  });

  it('waits for the connection', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    const { user } = open('/community/new');
    await type('Later');
    expect(submit()).toHaveAttribute('aria-disabled', 'true');
    expect(submit()).toHaveAccessibleDescription('연결되면 할 수 있어요');
    await user.click(submit());
    expect(sent).toEqual([]);
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });
});

describe('tags', () => {
  it('are picked by searching, removed again, and say what is held if allowed', async () => {
    const { user, container } = open('/community/new');
    await type('About shares');
    await user.click(screen.getByRole('button', { name: '종목 태그하기' }));
    const picker = await screen.findByRole('dialog', { name: '종목 찾기' });
    await user.click(await within(picker).findByRole('button', { name: /삼성전자/ }));
    await waitFor(() => expect(screen.getByText('$삼성전자')).toBeVisible());
    await user.click(screen.getByRole('button', { name: '종목 태그하기' }));
    await user.click(within(await screen.findByRole('dialog', { name: '종목 찾기' })).getByRole('button', { name: '코인' }));
    await user.click(await screen.findByRole('button', { name: /비트코인/ }));
    await user.click(await screen.findByRole('button', { name: '비트코인 태그 빼기' }));
    expect(screen.queryByText('$비트코인')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: '가진 종목이면 보유 중이라고 보여줄게요' }));
    expect(await axeViolations(container)).toEqual([]);
    await user.click(submit());
    await waitFor(() => expect(sent[0]?.body.tags).toEqual([{ code: '005930', isHeld: true }]));
  });

  it('are offered for what is typed, with the search filled in', async () => {
    const { user } = open('/community/new');
    await type('I like $카카 a lot, for $100');
    await user.click(screen.getByRole('button', { name: '‘카카’ 종목 태그하기' }));
    const picker = await screen.findByRole('dialog', { name: '종목 찾기' });
    expect(within(picker).getByRole('searchbox')).toHaveValue('카카');
    await user.click(await within(picker).findByRole('button', { name: /카카오/ }));
    await waitFor(() => expect(screen.getByText('$카카오')).toBeVisible());
    // The same one is not added twice.
    await user.click(screen.getByRole('button', { name: '‘카카’ 종목 태그하기' }));
    await user.click(await within(await screen.findByRole('dialog', { name: '종목 찾기' })).findByRole('button', { name: /카카오/ }));
    await waitFor(() => expect(screen.getAllByText('$카카오')).toHaveLength(1));
    await type('I like $카카오 a lot');
    expect(screen.getByRole('button', { name: '종목 태그하기' })).toBeVisible();
  });

  it('may be found nowhere, and need a connection', async () => {
    const { user } = open('/community/new');
    await type('$없는것');
    await user.click(screen.getByRole('button', { name: '‘없는것’ 종목 태그하기' }));
    expect(await screen.findByText('‘없는것’ 종목을 찾지 못했어요')).toBeVisible();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await user.type(screen.getByRole('searchbox'), '도');
    expect(await within(screen.getByRole('dialog')).findByText('연결되면 할 수 있어요')).toBeVisible();
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });

  it('are five at most', async () => {
    quoted = ownPost(1, { tags: [1, 2, 3, 4, 5].map((code) => ({ code: `00000${code}`, name: `Item ${code}`, isHeld: code === 1 })) });
    open('/community/new?writeSid=1');
    expect(await screen.findByText('종목은 5개까지 태그할 수 있어요')).toBeVisible();
    expect(screen.queryByRole('button', { name: '종목 태그하기' })).toBeNull();
    expect(screen.getByRole('checkbox')).toBeChecked();
  });
});

describe('changing a post', () => {
  it('begins with it and returns to its detail', async () => {
    quoted = ownPost(1, { content: 'Before', category: 'STUDY' });
    const { user, container } = open('/start');
    await user.click(screen.getByRole('link', { name: 'edit' }));
    expect(await screen.findByRole('heading', { level: 1, name: '글 수정' })).toBeVisible();
    expect(await field()).toHaveValue('Before');
    expect(screen.getByRole('button', { name: '공부' })).toHaveAttribute('aria-pressed', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await type('After');
    await user.click(submit('수정'));
    await waitFor(() => expect(address()).toBe('/start'));
    expect(screen.getByText('고친 내용을 올렸어요')).toBeInTheDocument();
    expect(sent).toEqual([{ call: 'put post', body: { memberSid: MEMBER_SID, sid: 1, category: 'STUDY', content: 'After', contentImg: '', tags: [] } }]);
  });

  it('opens its detail when that is not behind', async () => {
    quoted = ownPost(1, { category: 'NOTICE' });
    const { user } = open('/community/new?writeSid=1');
    await type('After');
    // A notice stays one.
    expect(screen.queryByRole('group', { name: '글 종류' })).toBeNull();
    await user.click(submit('수정'));
    await waitFor(() => expect(address()).toBe('/community/detail?communitySid=1'));
  });

  it.each([
    ['/community/new?writeSid=1', '글 수정'],
    ['/community/new?writeSid=11&isComment=true', '댓글 수정'],
  ])('of another is refused at %s', async (at, title) => {
    open(at);
    expect(await screen.findByText('글을 찾지 못했어요')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('can be retried when it does not load', async () => {
    server.use(http.get('*/api/v1/community/get-post-detail', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    quoted = ownPost(1, { content: 'Before' });
    const { user } = open('/community/new?writeSid=1');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await field()).toHaveValue('Before');
  });

  it('tells when it is gone', async () => {
    server.use(http.get('*/api/v1/community/comment-detail', () => problem(404, 5003, 'COMMENT_NOT_FOUND')));
    open('/community/new?commentSid=11&isAnswer=true');
    expect(await screen.findByText('글을 찾지 못했어요')).toBeVisible();
  });
});

describe('comments', () => {
  it.each(['boardSid', 'boardSId'])('are written on a post, which is quoted (%s)', async (name) => {
    const { user, container } = open(`/community/new?${name}=1&isComment=true`);
    await type('Well said');
    expect(screen.getByRole('heading', { level: 1, name: '댓글 작성' })).toBeVisible();
    expect(screen.getByRole('blockquote', { name: '이 글에 남겨요' })).toHaveTextContent('AnnWhat they wrote');
    expect(screen.getByText('9/500')).toBeVisible();
    expect(screen.queryByRole('group')).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(submit());
    await waitFor(() => expect(address()).toBe('/community/detail?communitySid=1'));
    expect(screen.getByText('댓글을 올렸어요')).toBeInTheDocument();
    expect(sent).toEqual([{ call: 'comment', body: { boardSid: 1, memberSid: MEMBER_SID, content: 'Well said', contentImg: '', reqSid: expect.any(String) as string } }]);
  });

  it('return to where they were begun', async () => {
    const { user } = open('/start');
    await user.click(screen.getByRole('link', { name: 'comment' }));
    await type('Well said');
    await user.click(submit());
    await waitFor(() => expect(address()).toBe('/start'));
  });

  it('are changed', async () => {
    commented = ownComment(11, { content: 'Before' });
    const { user } = open('/community/new?writeSid=11&isComment=true');
    expect(await field()).toHaveValue('Before');
    await type('After');
    await user.click(submit('수정'));
    await waitFor(() => expect(sent).toEqual([{ call: 'put comment', body: { commentSid: 11, content: 'After', contentImg: '' } }]));
    await waitFor(() => expect(address()).toBe('/community/detail?communitySid=1'));
  });

  it('are replied to', async () => {
    const { user } = open('/community/new?commentSid=11&isAnswer=true');
    await type('Thanks');
    expect(screen.getByRole('heading', { level: 1, name: '답글 작성' })).toBeVisible();
    expect(screen.getByRole('blockquote')).toHaveTextContent('BenWhat they said');
    await user.click(submit());
    expect(await screen.findByText('답글을 올렸어요')).toBeInTheDocument();
    expect(sent).toEqual([{ call: 'answer', body: { commentSid: 11, memberSid: MEMBER_SID, content: 'Thanks', contentImg: '', reqSid: expect.any(String) as string } }]);
  });

  it('replies to a reply go to its comment and name whom they are for', async () => {
    commented = comment(21, { parentSid: 11 });
    const { user } = open('/community/new?commentSid=21&isAnswer=true');
    await type('Thanks');
    await user.click(submit());
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ commentSid: 11, tagUserSid: 200_002 }));
  });

  it.each([{ isDeleted: true }, { isBlocked: true }])('that are %o take no replies', async (gone) => {
    commented = comment(11, gone);
    open('/community/new?commentSid=11&isAnswer=true');
    expect(await screen.findByText('글을 찾지 못했어요')).toBeVisible();
  });
});

describe('an address that names nothing', () => {
  it.each(['?writeSid=x', '?isComment=true', '?boardSid=-1&isComment=true', '?isAnswer=true', '?commentSid=0&isAnswer=true'])('%s is not found', async (search) => {
    open(`/community/new${search}`);
    expect(await screen.findByRole('heading', { level: 1, name: '찾는 페이지가 없어요' })).toBeInTheDocument();
  });

  it('is nothing for a visitor, whom the app leads to the login', () => {
    act(() => endSession('logout'));
    open('/community/new');
    expect(screen.queryByRole('heading')).toBeNull();
  });
});

describe('a draft', () => {
  it('is kept while writing, restored later, and can be thrown away', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const first = open('/community/new');
    await type('Half a thought');
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    expect(JSON.parse(localStorage.getItem(DRAFT) ?? '{}')).toMatchObject({ content: 'Half a thought', category: 'FREE' });
    first.unmount();
    const { user, container } = open('/community/new');
    expect(await screen.findByText('쓰던 글을 불러왔어요')).toBeVisible();
    expect(await field()).toHaveValue('Half a thought');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '지우기' }));
    expect(await field()).toHaveValue('');
    expect(screen.queryByText('쓰던 글을 불러왔어요')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });

  it('is of one mode, and kept when the page goes', async () => {
    const { unmount } = open('/community/new?boardSid=1&isComment=true');
    await type('A comment');
    act(() => void window.dispatchEvent(new Event('pagehide')));
    expect(localStorage.getItem(`draft ${String(MEMBER_SID)} community comment 1`)).toContain('A comment');
    unmount();
    open('/community/new?boardSid=2&isComment=true');
    expect(await field()).toHaveValue('');
  });

  it.each(['{', '{"content":1}', '{"content":"x","category":"NONE","tags":[]}', '{"content":"x","category":"FREE","tags":[1]}', '{"content":"x","category":"FREE"}'])('that cannot be read is none: %s', async (text) => {
    localStorage.setItem(DRAFT, text);
    open('/community/new');
    expect(await field()).toHaveValue('');
    expect(screen.queryByText('쓰던 글을 불러왔어요')).toBeNull();
  });

  it('is kept when the session expires while it is sent, and not after a logout', async () => {
    server.use(http.post('*/api/v1/community/post', () => HttpResponse.error()));
    const { user, unmount } = open('/community/new');
    await type('Half a thought');
    await user.click(submit());
    expect(localStorage.getItem(DRAFT)).toContain('Half a thought');
    localStorage.removeItem(DRAFT);
    act(() => endSession('logout'));
    unmount();
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });

  it('is not missed where nothing can be stored', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    open('/community/new');
    await type('Lasts as long as the page');
    act(() => void window.dispatchEvent(new Event('pagehide')));
    expect(await field()).toHaveValue('Lasts as long as the page');
  });
});

describe('leaving', () => {
  it('asks first when something was written, and keeps it', async () => {
    const { user, container } = open('/start');
    await user.click(screen.getByRole('link', { name: 'write' }));
    await type('Half a thought');
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    const dialog = await screen.findByRole('dialog', { name: '작성을 그만할까요?' });
    expect(dialog).toHaveTextContent('쓴 내용은 이 기기에 남겨둘게요');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: '계속 쓰기' }));
    expect(await field()).toHaveValue('Half a thought');
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    await user.click(within(await screen.findByRole('dialog', { name: '작성을 그만할까요?' })).getByRole('button', { name: '나가기' }));
    await waitFor(() => expect(address()).toBe('/start'));
    expect(localStorage.getItem(DRAFT)).toContain('Half a thought');
  });

  it.each([
    ['/community/new', '/community'],
    ['/community/new?boardSid=1&isComment=true', '/community/detail?communitySid=1'],
  ])('leads from %s to %s when nothing is behind', async (at, to) => {
    const { user } = open(at);
    await type('Half a thought');
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    await user.click(within(await screen.findByRole('dialog', { name: '작성을 그만할까요?' })).getByRole('button', { name: '나가기' }));
    await waitFor(() => expect(address()).toBe(to));
  });

  it('does not ask when nothing was written', async () => {
    const { user } = open('/start');
    await user.click(screen.getByRole('link', { name: 'write' }));
    await field();
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    await waitFor(() => expect(address()).toBe('/start'));
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });
});
