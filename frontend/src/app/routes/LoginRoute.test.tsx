import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadRuntimeConfig } from '@/shared/api/runtimeConfig';
import { endSession, memberSid } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, sessionReply } from '@/testing/wireSamples';
import LoginRoute from './LoginRoute';

const LOGIN = '*/api/v1/auth/login';
let attempts: unknown[] = [];

const open = (next = '/invest-v2/stock/005930') =>
  renderApp(
    <Routes>
      <Route path="/login" element={<LoginRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at: `/login?next=${encodeURIComponent(next)}` },
  );

const answer = (reply: () => Response) =>
  server.use(
    http.post(LOGIN, async ({ request }) => {
      attempts.push(await request.json());
      return reply();
    }),
  );

const fields = () => ({ email: screen.getByLabelText('이메일'), password: screen.getByLabelText('비밀번호') });
const submit = () => screen.getByRole('button', { name: '로그인' });

beforeEach(() => {
  attempts = [];
  endSession('logout');
});

describe('signing in', () => {
  it('returns to the requested screen, with the session in the cookies', async () => {
    answer(() => HttpResponse.json(sessionReply));
    const { user } = open();
    await user.type(fields().email, ' minji@example.kr ');
    await user.type(fields().password, '봄날의 산책은 즐거워{Enter}');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930'));
    expect(attempts).toEqual([{ email: 'minji@example.kr', password: '봄날의 산책은 즐거워' }]);
    expect(memberSid()).toBe(MEMBER_SID);
    expect(document.cookie).toContain('access_token=token');
  });

  it('registers at the price service in the background, and ignores its failure', async () => {
    let knocks = 0;
    server.use(
      http.get('*/config.json', () => HttpResponse.json({ siseOrigin: 'http://prices.test' })),
      http.post('http://prices.test/api/v1/auth/join', ({ request }) => {
        knocks += 1;
        expect(request.headers.get('Authorization')).toBe('Bearer token');
        return HttpResponse.json({}, { status: 503 });
      }),
    );
    await loadRuntimeConfig();
    answer(() => HttpResponse.json(sessionReply));
    const { user } = open();
    await user.type(fields().email, 'a@b.kr');
    await user.type(fields().password, '1234567890{Enter}');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930'));
    await waitFor(() => expect(knocks).toBe(1));
    server.use(http.get('*/config.json', () => HttpResponse.json({})));
    await loadRuntimeConfig();
  });

  it('never leads to another site', async () => {
    answer(() => HttpResponse.json(sessionReply));
    const { user } = open('//evil.example/x');
    await user.type(fields().email, 'a@b.kr');
    await user.type(fields().password, '1234567890{Enter}');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/home'));
  });

  it('reports missing or misspelt fields and focuses the first', async () => {
    const { user } = open();
    await user.click(submit());
    expect(screen.getByText('이메일을 입력해주세요')).toBeVisible();
    expect(screen.getByText('비밀번호를 입력해주세요')).toBeVisible();
    expect(fields().email).toHaveFocus();
    await user.type(fields().email, 'minji');
    await user.click(submit());
    expect(screen.getByText('이메일 형식을 확인해주세요')).toBeVisible();
    await user.type(fields().email, '@example.kr');
    await user.click(submit());
    expect(fields().password).toHaveFocus();
    expect(attempts).toHaveLength(0);
  });

  it('reports that one of the two was wrong, below the password, and keeps the form', async () => {
    answer(() => problem(401, 1001, 'LOGIN_FAILED', '서버의 문장'));
    const { user } = open();
    await user.type(fields().email, 'minji@example.kr');
    await user.type(fields().password, 'wrong-password');
    await user.click(submit());
    expect(await screen.findByText('이메일이나 비밀번호가 맞지 않아요. 다시 확인해주세요.')).toBeVisible();
    await waitFor(() => expect(fields().password).toHaveFocus());
    expect(fields().password).toHaveAccessibleDescription('이메일이나 비밀번호가 맞지 않아요. 다시 확인해주세요.');
    expect(fields().email).toHaveValue('minji@example.kr');
    expect(memberSid()).toBeNull();
  });

  it('shows how long to wait after too many attempts', async () => {
    answer(() => problem(429, 1004, 'TOO_MANY_ATTEMPTS', '30초 뒤에 다시 시도해주세요.'));
    const { user } = open();
    await user.type(fields().email, 'a@b.kr');
    await user.type(fields().password, '1234567890{Enter}');
    expect(await screen.findByText('30초 뒤에 다시 시도해주세요.')).toBeVisible();
  });

  it('is blocked offline and says why', async () => {
    const { user } = open();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await user.type(fields().email, 'a@b.kr');
    await user.type(fields().password, '1234567890{Enter}');
    expect(submit()).toHaveAccessibleDescription('연결되면 할 수 있어요');
    expect(attempts).toHaveLength(0);
  });

  it('works with assistive technology and password managers', async () => {
    const { user, container } = open();
    await user.click(submit());
    expect(fields().email).toHaveAttribute('autocomplete', 'username');
    expect(fields().password).toHaveAttribute('autocomplete', 'current-password');
    await user.click(screen.getByRole('button', { name: '비밀번호 보기' }));
    expect(fields().password).toHaveAttribute('type', 'text');
    expect(await axeViolations(container)).toEqual([]);
  });
});
