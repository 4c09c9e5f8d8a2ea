import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, memberSid, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { doubleTap } from '@/testing/doubleTap';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import LoginRoute from './LoginRoute';
import PasswordNewRoute from './PasswordNewRoute';
import PasswordResetRoute from './PasswordResetRoute';

let asked: string[] = [];
let resets: unknown[] = [];

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/login" element={<LoginRoute />} />
      <Route path="/password/reset" element={<PasswordResetRoute />} />
      <Route path="/password/new" element={<PasswordNewRoute />} />
    </Routes>,
    { at },
  );
const nothing = () => new HttpResponse(null, { status: 204 });

beforeEach(() => {
  asked = [];
  resets = [];
  endSession('logout');
  server.use(
    http.put('*/api/v1/auth/password/email/:email', ({ params }) => {
      asked.push(String(params.email));
      return nothing();
    }),
  );
});
afterEach(() => vi.useRealTimers());

describe('requesting a mail', () => {
  it('starts at the login, sends it, and offers the way back', async () => {
    const { user } = open('/login');
    await user.click(screen.getByRole('link', { name: '비밀번호를 잊었어요' }));
    await user.type(await screen.findByLabelText('이메일'), ' minji+a@example.kr ');
    await user.click(screen.getByRole('button', { name: '메일 받기' }));
    const panel = await screen.findByRole('heading', { name: '메일을 보냈어요' });
    expect(panel).toHaveFocus();
    expect(screen.getByText('메일함에서 안내를 확인해주세요.')).toBeVisible();
    expect(asked).toEqual(['minji+a@example.kr']);
    await user.click(screen.getByRole('link', { name: '로그인하기' }));
    expect(screen.getByTestId('address')).toHaveTextContent('/login');
  });

  it('sends one mail for a double tap', async () => {
    const { user } = open('/password/reset');
    await user.type(screen.getByLabelText('이메일'), 'minji@example.kr');
    doubleTap(screen.getByRole('button', { name: '메일 받기' }));
    await screen.findByRole('heading', { name: '메일을 보냈어요' });
    expect(asked).toEqual(['minji@example.kr']);
  });

  it('can be repeated after a minute, not before', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { user } = open('/password/reset');
    await user.type(screen.getByLabelText('이메일'), 'minji@example.kr{Enter}');
    const again = await screen.findByRole('button', { name: '다시 보내기 (60초)' });
    await user.click(again);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(21_000);
    expect(await screen.findByRole('button', { name: '다시 보내기 (39초)' })).toBeVisible();
    await vi.advanceTimersByTimeAsync(40_000);
    await user.click(await screen.findByRole('button', { name: '다시 보내기' }));
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it('reports a misspelt address and sends nothing', async () => {
    const { user, container } = open('/password/reset');
    fireEvent.submit(screen.getByLabelText('이메일').closest('form') as HTMLFormElement);
    expect(await screen.findByText('이메일을 입력해주세요')).toBeVisible();
    await user.type(screen.getByLabelText('이메일'), 'minji');
    await user.click(screen.getByRole('button', { name: '메일 받기' }));
    expect(screen.getByText('이메일 형식을 확인해주세요')).toBeVisible();
    expect(asked).toEqual([]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('reports a repeated request that came too soon', async () => {
    server.use(http.put('*/api/v1/auth/password/email/:email', () => problem(429, 1004, 'TOO_MANY_ATTEMPTS')));
    const { user } = open('/password/reset');
    await user.type(screen.getByLabelText('이메일'), 'minji@example.kr{Enter}');
    expect(await screen.findByText('메일을 방금 보냈어요. 1분 뒤에 다시 보낼 수 있어요.')).toBeVisible();
  });
});

describe('the mailed link', () => {
  const answer = (reply: () => Response) =>
    server.use(
      http.put('*/api/v1/auth/password/reset', async ({ request }) => {
        resets.push(await request.json());
        return reply();
      }),
    );
  const type = async (user: ReturnType<typeof open>['user'], password: string, again: string) => {
    await user.type(screen.getByLabelText('새 비밀번호'), password);
    await user.type(screen.getByLabelText('새 비밀번호 다시 입력'), again);
    await user.click(screen.getByRole('button', { name: '비밀번호 바꾸기' }));
  };

  it('sets a password once, ends the session here, and removes the token from the address', async () => {
    answer(nothing);
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    const { user, container } = open('/password/new?token=abc-123');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/password\/new$/));
    expect(await axeViolations(container)).toEqual([]);
    await type(user, '새로운 긴 비밀번호요', '새로운 긴 비밀번호요');
    expect(await screen.findByRole('heading', { name: '비밀번호를 바꿨어요' })).toHaveFocus();
    expect(screen.getByTestId('address')).toHaveTextContent(/^\/login$/);
    expect(screen.getByLabelText('비밀번호')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    expect(resets).toEqual([{ token: 'abc-123', newPassword: '새로운 긴 비밀번호요' }]);
    expect(memberSid()).toBeNull();
  });

  it('that is used or expired leads to another mail', async () => {
    answer(() => problem(422, 1018, 'RESET_LINK_INVALID'));
    const { user, container } = open('/password/new?token=old');
    await type(user, '8362917405', '8362917405');
    expect(await screen.findByText('링크를 더 이상 쓸 수 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '메일 다시 받기' })).toHaveAttribute('href', '/password/reset');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('without a token is invalid', () => {
    open('/password/new');
    expect(screen.getByText('링크를 더 이상 쓸 수 없어요')).toBeVisible();
  });

  it('rejects a short password before sending it', async () => {
    const { user } = open('/password/new?token=abc');
    await type(user, '짧아요', '짧아요');
    expect(screen.getByText('7자 더 입력해주세요')).toBeVisible();
    expect(resets).toEqual([]);
  });
});
