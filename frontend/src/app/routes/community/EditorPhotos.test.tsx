import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityWriteRoute from './CommunityWriteRoute';
import { ownPost, picture, post } from './communitySamples';

let sent: Record<string, unknown>[];
let discarded: unknown[];
let uploads: number;

const open = (at = '/community/new') =>
  renderApp(
    <Routes>
      <Route path="/community/new" element={<CommunityWriteRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );
const photo = (name: string) => new File(['pixels'], name, { type: 'image/jpeg' });
const photos = () => screen.findByRole('region', { name: '사진' });
const choose = async (...files: File[]) => {
  const chooser = (await photos()).querySelector('input[type="file"]') as HTMLInputElement;
  fireEvent.change(chooser, { target: { files } });
};
const uploaded = async (place: number) => within(await photos()).findByRole('button', { name: `사진 ${String(place)} 설명 쓰기` });
const write = async (text: string) => fireEvent.change(await screen.findByRole('textbox', { name: '내용' }), { target: { value: text } });
const urlsOf = async () => within(await photos()).getAllByRole('img').map((image) => image.getAttribute('src'));

beforeEach(() => {
  sent = [];
  discarded = [];
  uploads = 0;
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.post('*/api/v1/file/upload', () => {
      uploads += 1;
      const { url, thumbUrl, width, height, placeholder } = picture(String(uploads));
      return HttpResponse.json({ url, thumbUrl, width, height, placeholder });
    }),
    http.post('*/api/v1/file/delete', async ({ request }) => {
      discarded.push(await request.json());
      return HttpResponse.json({});
    }),
    http.post('*/api/v1/community/post', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json(ownPost(9));
    }),
    http.put('*/api/v1/community/post', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json(ownPost(1));
    }),
  );
});
afterEach(() => act(() => endSession('logout')));

describe('photos of a post', () => {
  it('are uploaded one by one, described, ordered and sent', async () => {
    const { user, container } = open();
    await choose(photo('one.jpg'), photo('two.jpg'));
    await uploaded(2);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(await uploaded(1));
    await user.type(screen.getByRole('textbox', { name: '사진 1 설명 (선택)' }), '차트');
    await user.click(screen.getByRole('button', { name: '넣기' }));
    expect(await urlsOf()).toEqual(['/files/1/446', '/files/2/446']);
    await user.click(screen.getByRole('button', { name: '사진 2 앞으로 옮기기' }));
    expect(await urlsOf()).toEqual(['/files/2/446', '/files/1/446']);
    expect(screen.getByText('2장 가운데 1번째로 옮겼어요')).toBeInTheDocument();
    await write('With photos');
    await user.click(screen.getByRole('button', { name: '올리기' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ contentImg: '/files/2/1920,/files/1/1920', imageAlts: ['', '차트'] });
  });

  it('are at most five, and survive a reload', async () => {
    const { unmount } = open();
    await choose(...['1', '2', '3', '4', '5', '6'].map((name) => photo(name)));
    await uploaded(5);
    expect(uploads).toBe(5);
    expect(screen.getByText('사진은 5장까지 올릴 수 있어요')).toBeVisible();
    expect(screen.getByRole('button', { name: '사진 넣기 5/5' })).toHaveAttribute('aria-disabled', 'true');
    unmount();
    open();
    expect(await screen.findByText('쓰던 글을 불러왔어요')).toBeVisible();
    expect(await urlsOf()).toHaveLength(5);
  });

  it('are tried again after a failure, which holds the text back', async () => {
    let isBroken = true;
    server.use(
      http.post('*/api/v1/file/upload', () => {
        if (isBroken) return problem(503, 9007, 'UNAVAILABLE');
        return HttpResponse.json(picture('1'));
      }),
    );
    const { user } = open();
    await write('Not yet');
    await choose(photo('one.jpg'));
    const retry = await screen.findByRole('button', { name: '다시 올리기' });
    await user.click(screen.getByRole('button', { name: '올리기' }));
    expect(screen.getByText('올리지 못한 사진이 있어요. 다시 올리거나 빼주세요')).toBeVisible();
    expect(sent).toEqual([]);
    isBroken = false;
    await user.click(retry);
    await uploaded(1);
    await user.click(screen.getByRole('button', { name: '올리기' }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('say what the server does not take', async () => {
    server.use(http.post('*/api/v1/file/upload', () => problem(415, 5041, 'PICTURE_TYPE', 'JPG, PNG, WebP 사진만 올릴 수 있어요')));
    const { user } = open();
    await choose(photo('one.heic'));
    expect(await screen.findByText('JPG, PNG, WebP 사진만 올릴 수 있어요')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '사진 1 빼기' }));
    expect(screen.queryByText('JPG, PNG, WebP 사진만 올릴 수 있어요')).toBeNull();
  });

  it('are waited for while they are sent', async () => {
    server.use(http.post('*/api/v1/file/upload', () => new Promise<never>(() => undefined)));
    const { user } = open();
    await write('Too early');
    await choose(photo('one.jpg'));
    expect(await screen.findByRole('progressbar', { name: '사진 1 올리는 중' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: '올리기' }));
    expect(screen.getByText('사진을 올리고 있어요. 잠시만 기다려주세요')).toBeVisible();
    expect(sent).toEqual([]);
  });
});

it('takes a new photo back from the server, but one of the text only when that is saved', async () => {
  server.use(http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(ownPost(1, { content: 'Before', images: [picture('old', { alt: '옛 사진' })] }))));
  const { user } = open('/community/new?writeSid=1');
  await uploaded(1);
  await choose(photo('new.jpg'));
  await uploaded(2);
  // This page keeps the text itself.
  act(() => void window.dispatchEvent(new Event('pagehide')));
  await user.click(screen.getByRole('button', { name: '사진 2 빼기' }));
  await waitFor(() => expect(discarded).toEqual([{ target_image: '/files/1/1920' }]));
  await user.click(screen.getByRole('button', { name: '사진 1 빼기' }));
  await user.click(screen.getByRole('button', { name: '수정' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ contentImg: '' });
  expect(discarded).toHaveLength(1);
});

it('a comment has two', async () => {
  server.use(http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(post(1))));
  open('/community/new?boardSid=1&isComment=true');
  await choose(photo('1'), photo('2'), photo('3'));
  await uploaded(2);
  expect(uploads).toBe(2);
});
