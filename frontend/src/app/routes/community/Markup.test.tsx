import { readFileSync } from 'node:fs';
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Comment, Hiding, Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import { comment, ownPost } from './communitySamples';
import PostRoute from './PostRoute';

/** Each of it would run something if a text were taken for markup; the service stores it as it is written. */
const MARKUP = readFileSync('../services/main/community/tests/data/markup.txt', 'utf8').trim().split('\n');
const MADE = 'script, iframe, object, embed, form, base, meta, link, style, video, audio, math, marquee, template, [onerror], [onload], [onclick], [onfocus], [src="x"], [href^="javascript:"]';

let shown: Post;
let comments: Comment[];
let hiding: Hiding;

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(shown)),
    http.get('*/api/v1/community/comment', () => HttpResponse.json({ comments, cursor: null })),
    http.get('*/api/v1/community/hiding', () => HttpResponse.json(hiding)),
  );
});
afterEach(() => act(() => endSession('logout')));

it('shows more than a hundred pieces of markup as they are written, in every field', async () => {
  expect(MARKUP.length).toBeGreaterThan(100);
  shown = ownPost(1, {
    status: 'HIDDEN',
    content: MARKUP.join('\n'),
    tags: MARKUP.slice(0, 5).map((name, place) => ({ code: `CODE${String(place)}`, name, isHeld: false })),
  });
  comments = MARKUP.map((content, place) => comment(100 + place, { content, tagUserSid: 5, tagUserNickName: content }));
  hiding = {
    status: 'HIDDEN',
    cause: 'UPHELD',
    rule: 'OTHER',
    reason: MARKUP.join('\n'),
    until: null,
    mayAppeal: false,
    appeal: { text: MARKUP.join('\n'), regDate: '2026-11-21T00:03:00Z', decidedDate: null, isUpheld: false },
  };
  renderApp(
    <Routes>
      <Route path="/community/detail" element={<PostRoute />} />
    </Routes>,
    { at: '/community/detail?communitySid=1' },
  );
  const title = await screen.findByText('신고를 확인하고 가렸어요', {}, { timeout: 20_000 });
  const notice = title.closest('section');
  const main = screen.getByRole('main');
  await waitFor(() => expect(main.querySelectorAll('article')).toHaveLength(MARKUP.length + 1), { timeout: 20_000 });
  const [post, ...others] = main.querySelectorAll('article');
  expect(post?.querySelector('.text')?.textContent).toBe(MARKUP.join('\n'));
  expect([...(notice?.querySelectorAll('p') ?? [])].map(({ textContent }) => textContent)).toContain(MARKUP.join('\n'));
  expect(notice?.textContent).toContain(`내가 쓴 까닭: ${MARKUP.join('\n')}`);
  expect(others.map((one) => one.querySelector('.text')?.textContent)).toEqual(MARKUP.map((markup) => `@${markup} ${markup}`));
  expect(main.querySelectorAll(MADE)).toHaveLength(0);
}, 60_000);
