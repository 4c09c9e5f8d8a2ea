import { act, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from '@/features/community/types';
import HomeTop from '@/features/community/teaser/HomeTop';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import { LatestPosts } from '../LatestPosts';
import { WhenNear } from '../WhenNear';
import { post } from './communitySamples';

let posts: Post[];
let asked: URLSearchParams[];

beforeEach(() => {
  posts = [post(3, { likeCount: 5, commentCount: 2 }), post(2), post(1), post(0)];
  asked = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/list', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ posts, cursor: null });
    }),
    http.get('*/api/v1/community/top-3', () => HttpResponse.json({ posts: [post(9)] })),
  );
});

describe('the posts about an instrument', () => {
  it('are the three newest, with the way to all and a word of caution', async () => {
    const { container } = renderApp(<LatestPosts code="005930" name="삼성전자" />);
    const section = await screen.findByRole('region', { name: '이 종목 이야기' });
    const links = await within(section).findAllByRole('link', { name: /Post/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['3', '2', '1'].map((sid) => `/community/detail?communitySid=${sid}`));
    expect(links[0]).toHaveTextContent('AnnPost 3좋아요 5개 · 댓글 2개');
    expect(within(section).getByRole('link', { name: '이 종목 이야기 전체 보기' })).toHaveAttribute('href', '/community?type=ITEM&code=005930');
    expect(within(section).getByText('투자 권유가 아니에요')).toBeVisible();
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ category: 'ALL', type: 'ITEM', code: '005930', size: '3', memberSid: String(MEMBER_SID) });
    expect(await axeViolations(container)).toEqual([]);
  });

  it('may be missing, which is the chance to write the first', async () => {
    posts = [];
    renderApp(<LatestPosts code="005930" name="삼성전자" />);
    expect(await screen.findByText('아직 이 종목 글이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '첫 글 쓰기' })).toHaveAttribute('href', `/community/new?${new URLSearchParams({ code: '005930', name: '삼성전자' }).toString()}`);
    expect(screen.queryByRole('link', { name: /전체 보기/ })).toBeNull();
  });

  it('fail by themselves', async () => {
    server.use(http.get('*/api/v1/community/list', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = renderApp(<LatestPosts code="005930" name="삼성전자" />);
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('Post 3')).toBeVisible();
  });
});

it('the home shows the best posts with the way to the community', async () => {
  renderApp(<HomeTop memberSid={MEMBER_SID} />);
  expect(await screen.findByRole('link', { name: /Post 9/ })).toBeVisible();
  expect(screen.getByRole('link', { name: '인기 글 전체 보기' })).toHaveAttribute('href', '/community');
});

it('what is far below is drawn when it comes near', () => {
  let come: (isIntersecting: boolean) => void = () => undefined;
  const disconnect = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        come = (isIntersecting) => callback([{ isIntersecting }]);
      }
      observe() {}
      disconnect = disconnect;
    },
  );
  renderApp(
    <WhenNear heightPx={100}>
      <p>below</p>
    </WhenNear>,
  );
  act(() => come(false));
  expect(screen.queryByText('below')).toBeNull();
  act(() => come(true));
  expect(screen.getByText('below')).toBeVisible();
  expect(disconnect).toHaveBeenCalled();
  vi.unstubAllGlobals();
});
