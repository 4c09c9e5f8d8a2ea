import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import CommunityWriteRoute from './CommunityWriteRoute';
import { ownPost } from './communitySamples';

it.each([
  ['005930', 'STOCK'],
  ['KRW-BTC', 'COIN'],
  ['04020000', 'FREE'],
])('a post that is begun from an instrument is about it: %s', async (code, category) => {
  const sent: unknown[] = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/standing/:sid', () => HttpResponse.json({ sanction: null })),
    http.post('*/api/v1/community/post', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(ownPost(9));
    }),
  );
  const { user } = renderApp(<CommunityWriteRoute />, { at: `/community/new?code=${code}&name=Name` });
  expect(await screen.findByText('$Name')).toBeVisible();
  fireEvent.change(screen.getByRole('textbox', { name: '내용' }), { target: { value: 'About it' } });
  await user.click(screen.getByRole('button', { name: '올리기' }));
  await waitFor(() => expect(sent).toMatchObject([{ category, tags: [{ code, isHeld: false }] }]));
});
