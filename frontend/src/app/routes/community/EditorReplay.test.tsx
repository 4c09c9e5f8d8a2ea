import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityWriteRoute from './CommunityWriteRoute';
import { ownComment, picture, post } from './communitySamples';

const AT = '/community/new?boardSid=1&isComment=true';
const DRAFT = `draft ${String(MEMBER_SID)} community comment 1`;

let sent: { content: string; reqSid: string }[];
let answer: () => Response | Promise<Response>;
let discarded: unknown[];

const open = () =>
  renderApp(
    <Routes>
      <Route path="/community/new" element={<CommunityWriteRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at: AT },
  );
const field = () => screen.findByRole('textbox', { name: '내용' });
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });
const submit = () => screen.getByRole('button', { name: '올리기' });
const photos = () => screen.findByRole('region', { name: '사진' });
/** Waits for a failure, and until the text can be sent again. */
const failure = async (text: string) => {
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
  await waitFor(() => expect(submit()).not.toHaveAttribute('aria-busy'));
};

/** Sends a text, and lets the system end the page before the reply. */
async function dieAfterSending(text: string) {
  answer = () => new Promise<never>(() => undefined);
  const { user, unmount } = open();
  await type(text);
  await user.click(submit());
  await waitFor(() => expect(sent).toHaveLength(1));
  const kept = localStorage.getItem(DRAFT) ?? '';
  unmount();
  // Nothing ran when the page ended.
  localStorage.setItem(DRAFT, kept);
  answer = () => HttpResponse.json(ownComment(12));
}

beforeEach(() => {
  sent = [];
  discarded = [];
  answer = () => HttpResponse.json(ownComment(12));
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(post(1))),
    http.get('*/api/v1/community/standing/:sid', () => HttpResponse.json({ sanction: null })),
    http.post('*/api/v1/community/comment', async ({ request }) => {
      sent.push((await request.json()) as { content: string; reqSid: string });
      return answer();
    }),
    http.post('*/api/v1/file/upload', () => HttpResponse.json(picture('1'))),
    http.post('*/api/v1/file/delete', async ({ request }) => {
      discarded.push(await request.json());
      return HttpResponse.json({});
    }),
  );
});
afterEach(() => act(() => endSession('logout')));

describe('a text whose reply was lost with the page', () => {
  it('is sent again under the same request id', async () => {
    await dieAfterSending('감사합니다');
    const { user } = open();
    expect(await screen.findByText('쓰던 글을 불러왔어요')).toBeVisible();
    expect(await field()).toHaveValue('감사합니다');
    await user.click(submit());
    expect(await screen.findByText('댓글을 올렸어요')).toBeInTheDocument();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });

  it('is another request when it was changed', async () => {
    await dieAfterSending('감사합니다');
    const { user } = open();
    await type('고맙습니다');
    await user.click(submit());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.reqSid).not.toBe(sent[0]?.reqSid);
  });

  it.each([
    ['a body that came too late', 408, 9012, 'REQUEST_TIMEOUT'],
    ['the rate limit', 429, 9006, 'RATE_LIMITED'],
    ['the rate of texts', 429, 5007, 'WRITING_RATE'],
  ])('is the same request after %s', async (_what, status, code, reason) => {
    const { user } = open();
    await type('감사합니다');
    answer = () => HttpResponse.error();
    await user.click(submit());
    await failure('올리지 못했어요. 다시 시도해주세요.');
    answer = () => problem(status, code, reason, '지금은 안 돼요');
    await user.click(submit());
    await failure('지금은 안 돼요');
    answer = () => HttpResponse.json(ownComment(12));
    await user.click(submit());
    expect(await screen.findByText('댓글을 올렸어요')).toBeInTheDocument();
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  });

  it.each([
    ['stands for another text', 409, 3017, 'REQ_SID_REUSED'],
    ['stands for a text that was deleted', 404, 5003, 'COMMENT_NOT_FOUND'],
  ])('is another request once its id %s', async (_what, status, code, reason) => {
    answer = () => problem(status, code, reason, '다시 써주세요');
    const { user, unmount } = open();
    await type('감사합니다');
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('다시 써주세요'));
    expect(localStorage.getItem(DRAFT)).not.toContain('reqSid');
    unmount();
    answer = () => HttpResponse.json(ownComment(12));
    const again = open();
    expect(await field()).toHaveValue('감사합니다');
    await again.user.click(submit());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.reqSid).not.toBe(sent[0]?.reqSid);
  });

  it.each(['"short"', '5', '"한글한글한글한글"'])('has no request id that reads %s', async (reqSid) => {
    localStorage.setItem(DRAFT, `{"content":"감사합니다","category":"FREE","tags":[],"showsHeld":false,"pictures":[],"reqSid":${reqSid}}`);
    const { user } = open();
    expect(await field()).toHaveValue('감사합니다');
    await user.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.reqSid).toMatch(/^[A-Za-z0-9-]{32,36}$/);
  });
});

describe('the pictures of a text that may be published', () => {
  const addPhoto = async () => {
    const chooser = (await photos()).querySelector('input[type="file"]') as HTMLInputElement;
    fireEvent.change(chooser, { target: { files: [new File(['pixels'], 'one.jpg', { type: 'image/jpeg' })] } });
    await within(await photos()).findByRole('button', { name: '사진 1 설명 쓰기' });
  };

  it('stay on the server when they are removed from a restored draft', async () => {
    const pictures = [picture('1')];
    localStorage.setItem(DRAFT, JSON.stringify({ content: '감사합니다', category: 'FREE', tags: [], showsHeld: false, pictures }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '사진 1 빼기' }));
    expect(within(await photos()).queryByRole('img')).toBeNull();
    await user.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ contentImg: '' });
    expect(discarded).toEqual([]);
  });

  it('stay on the server after a lost reply', async () => {
    answer = () => HttpResponse.error();
    const { user } = open();
    await type('감사합니다');
    await addPhoto();
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('올리지 못했어요. 다시 시도해주세요.'));
    await user.click(screen.getByRole('button', { name: '사진 1 빼기' }));
    answer = () => HttpResponse.json(ownComment(12));
    await user.click(submit());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(discarded).toEqual([]);
  });

  it.each([
    ['', false],
    [', also when more is written in the first', true],
  ])('stay on the server after another tab has published them%s', async (_also, isWrittenOn) => {
    const keep = () => act(() => void window.dispatchEvent(new Event('pagehide')));
    const { user, container } = open();
    await type('감사합니다');
    await addPhoto();
    keep();
    const other = open();
    await other.user.click(await within(other.container).findByRole('button', { name: '올리기' }));
    await screen.findAllByText('댓글을 올렸어요');
    expect(sent).toMatchObject([{ contentImg: picture('1').url }]);
    other.unmount();

    const here = within(container);
    if (isWrittenOn) {
      fireEvent.change(here.getByRole('textbox', { name: '내용' }), { target: { value: '정말 감사합니다' } });
      keep();
      expect(localStorage.getItem(DRAFT)).toContain(picture('1').url);
    }
    await user.click(here.getByRole('button', { name: '사진 1 빼기' }));
    await user.click(here.getByRole('button', { name: '올리기' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ contentImg: '' });
    expect(discarded).toEqual([]);
  });
});
