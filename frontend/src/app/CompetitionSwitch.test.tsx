import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { CompetitionSwitch } from './CompetitionSwitch';

let sent: unknown[] = [];

const open = () =>
  renderApp(
    <Routes>
      <Route path="/my" element={<CompetitionSwitch memberSid={MEMBER_SID} />} />
      <Route path="/home" element={<p>홈이에요</p>} />
    </Routes>,
    { at: '/my' },
  );

const control = () => screen.findByRole('switch', { name: '대회 모드' });

beforeEach(() => {
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.patch('*/api/v1/member/competition-mode/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ competitionMode: true, competitionAccountSid: 44, eventSid: 2 });
    }),
  );
});

describe('the switch of the competition mode', () => {
  it('asks first, and forgets what was loaded of the other account', async () => {
    const { user, container, queryClient } = open();
    queryClient.setQueryData(assetsQuery(MEMBER_SID).queryKey, { total: 1 } as never);
    await waitFor(async () => expect(await control()).toBeEnabled());
    await user.click(await control());
    const dialog = await screen.findByRole('dialog', { name: '대회 모드로 바꿀까요?' });
    expect(dialog).toHaveTextContent('주식과 ETF만 거래하고, 대회 계좌를 써요');
    expect(await axeViolations(container)).toEqual([]);
    expect(sent).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: '바꾸기' }));
    await screen.findByText('홈이에요');
    expect(sent).toEqual([{ competitionMode: true }]);
    expect(queryClient.getQueryData(assetsQuery(MEMBER_SID).queryKey)).toBeUndefined();
  });

  it('is left at the question, and reverts when it fails', async () => {
    server.use(http.patch('*/api/v1/member/competition-mode/:id', () => problem(503, 9007, 'UNAVAILABLE')));
    const { user } = open();
    await waitFor(async () => expect(await control()).toBeEnabled());
    await user.click(await control());
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '닫기' }));
    await user.click(await control());
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '바꾸기' }));
    await screen.findByText('모드를 바꾸지 못했어요. 다시 시도해주세요.');
    expect(await control()).not.toBeChecked();
    expect(screen.queryByText('홈이에요')).toBeNull();
  });

  it('cannot be used while the mode is not known', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: null })));
    open();
    expect(await control()).toBeDisabled();
  });
});
