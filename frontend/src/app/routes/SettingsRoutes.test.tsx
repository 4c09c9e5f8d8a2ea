import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memberSid, startSession } from '@/shared/api/session';
import type { Member } from '@/shared/api/types';
import { preferences, setPreference } from '@/shared/platform/preferences';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { doubleTap } from '@/testing/doubleTap';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import SettingsEmailRoute from './SettingsEmailRoute';
import SettingsPasswordRoute from './SettingsPasswordRoute';
import SettingsProfileRoute from './SettingsProfileRoute';
import SettingsRoute from './SettingsRoute';

let known: Member = member;
let sent: unknown[] = [];
let loggedOut = 0;

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/settings" element={<SettingsRoute />} />
      <Route path="/settings/profile" element={<SettingsProfileRoute />} />
      <Route path="/settings/password" element={<SettingsPasswordRoute />} />
      <Route path="/settings/email" element={<SettingsEmailRoute />} />
    </Routes>,
    { at },
  );
const address = () => screen.getByTestId('address');
const nothing = () => new HttpResponse(null, { status: 204 });

beforeEach(() => {
  known = member;
  sent = [];
  loggedOut = 0;
  setPreference({ hideAmounts: false, haptics: true, noticeSeconds: 2 });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(known)),
    http.post('*/api/v1/auth/logout', () => {
      loggedOut += 1;
      return nothing();
    }),
  );
});

describe('the settings', () => {
  it('link to the account settings and show their state', async () => {
    open('/settings');
    expect(await screen.findByText('새싹민지')).toBeVisible();
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
      '프로필',
      '비밀번호',
      '이메일 인증인증하기',
      '알림',
      '이용약관',
      '개인정보 처리방침',
    ]);
    expect(screen.queryByText('운영자')).toBeNull();
  });

  it('mark the operator', async () => {
    known = { ...member, operator: true };
    open('/settings');
    expect(await screen.findByText('운영자')).toBeVisible();
  });

  it('change the settings of this device', async () => {
    const { user } = open('/settings');
    await user.click(screen.getByRole('radio', { name: '다크' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await user.click(screen.getByRole('radio', { name: '기기 설정과 같게' }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
    await user.click(screen.getByRole('radio', { name: '10초' }));
    await user.click(screen.getByRole('switch', { name: '진동' }));
    await user.click(screen.getByRole('switch', { name: '금액 숨기기' }));
    expect(preferences()).toMatchObject({ noticeSeconds: 10, haptics: false, hideAmounts: true });
  });

  it('sign out after a confirmation, and leave nothing behind', async () => {
    tickStore.apply([tickFromItem(samsung)]);
    const { user, queryClient } = open('/settings');
    await screen.findByText('새싹민지');
    await user.click(screen.getByRole('button', { name: '로그아웃' }));
    const dialog = (await screen.findByRole('heading', { name: '로그아웃할까요?' })).closest('dialog') as HTMLElement;
    await user.click(within(dialog).getByRole('button', { name: '로그아웃' }));
    await waitFor(() => expect(memberSid()).toBeNull());
    await waitFor(() => expect(loggedOut).toBe(1));
    expect(document.cookie).not.toContain('access_token');
    expect(document.cookie).not.toContain('memberSid');
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(tickStore.get('005930')).toBeUndefined();
  });

  it('sign out even when the server cannot be reached', async () => {
    server.use(http.post('*/api/v1/auth/logout', () => HttpResponse.error()));
    const { user } = open('/settings');
    await user.click(screen.getByRole('button', { name: '로그아웃' }));
    const dialog = (await screen.findByRole('heading', { name: '로그아웃할까요?' })).closest('dialog') as HTMLElement;
    await user.click(within(dialog).getByRole('button', { name: '로그아웃' }));
    await waitFor(() => expect(memberSid()).toBeNull());
  });

  it('are accessible', async () => {
    const { container } = open('/settings');
    await screen.findByText('새싹민지');
    expect(await axeViolations(container)).toEqual([]);
  });
});

describe('the profile', () => {
  const answer = (reply: (body: object) => Response) =>
    server.use(
      http.put('*/api/v1/member/info', async ({ request }) => {
        const body = (await request.json()) as object;
        sent.push(body);
        return reply(body);
      }),
    );

  it('sends only changed fields, and updates every screen', async () => {
    answer((body) => HttpResponse.json({ ...member, ...body }));
    const { user } = open('/settings/profile');
    const year = await screen.findByLabelText('출생연도');
    await user.clear(year);
    await user.type(year, '1990');
    await user.click(screen.getByRole('radio', { name: '여성' }));
    await user.click(screen.getByRole('button', { name: '저장하기' }));
    await waitFor(() => expect(address()).toHaveTextContent('/settings'));
    expect(sent).toEqual([{ memberSid: MEMBER_SID, birthYear: 1990, gender: 'F' }]);
    expect(await screen.findByText('프로필을 저장했어요')).toBeInTheDocument();
  });

  it('sends nothing without a change, and reports errors', async () => {
    const { user } = open('/settings/profile');
    const nickname = await screen.findByLabelText('닉네임');
    expect(screen.getByRole('button', { name: '저장하기' })).toHaveAttribute('aria-disabled', 'true');
    await user.clear(nickname);
    await user.type(nickname, '!');
    await user.click(screen.getByRole('button', { name: '저장하기' }));
    expect(nickname).toHaveAccessibleDescription('한글, 영문, 숫자로 2~12자를 써주세요');
    expect(nickname).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it('locks a recently changed nickname, with the day it unlocks', async () => {
    known = { ...member, nicknameChangeableAt: '2099-12-20T09:00:00+09:00' };
    open('/settings/profile');
    const nickname = await screen.findByLabelText('닉네임');
    expect(nickname).toHaveAttribute('readonly');
    expect(nickname).toHaveAccessibleDescription('2099.12.20부터 다시 바꿀 수 있어요');
  });

  it('shows a duplicate nickname below the field and keeps the form', async () => {
    answer(() => problem(409, 1003, 'NICKNAME_TAKEN', '이미 쓰는 닉네임이에요'));
    const { user, container } = open('/settings/profile');
    const nickname = await screen.findByLabelText('닉네임');
    await user.clear(nickname);
    await user.type(nickname, '반달곰');
    await user.click(screen.getByRole('button', { name: '저장하기' }));
    expect(await screen.findByText('이미 쓰는 닉네임이에요')).toBeVisible();
    expect(nickname).toHaveValue('반달곰');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be retried when it failed to load', async () => {
    server.use(http.get('*/api/v1/member/:id', () => problem(500, 9001, 'INTERNAL'), { once: true }));
    const { user } = open('/settings/profile');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByLabelText('닉네임')).toHaveValue('새싹민지');
  });
});

describe('changing the password', () => {
  const type = async (user: ReturnType<typeof open>['user'], current: string, password: string, again: string) => {
    await user.type(screen.getByLabelText('지금 비밀번호'), current);
    await user.type(screen.getByLabelText('새 비밀번호'), password);
    await user.type(screen.getByLabelText('새 비밀번호 다시 입력'), again);
    await user.click(screen.getByRole('button', { name: '비밀번호 바꾸기' }));
  };
  const answer = (reply: () => Response) =>
    server.use(
      http.put('*/api/v1/auth/password', async ({ request }) => {
        sent.push(await request.json());
        return reply();
      }),
    );

  it('stays signed in and says so', async () => {
    answer(nothing);
    const { user } = open('/settings/password');
    await type(user, '옛날의 긴 비밀번호', '새로운 긴 비밀번호요', '새로운 긴 비밀번호요');
    expect(await screen.findByText('비밀번호를 바꿨어요')).toBeInTheDocument();
    expect(sent).toEqual([{ memberSid: MEMBER_SID, password: '옛날의 긴 비밀번호', newPassword: '새로운 긴 비밀번호요' }]);
    expect(memberSid()).toBe(MEMBER_SID);
    expect(address()).toHaveTextContent('/settings');
  });

  it('checks the rules while typing and rejects a mismatch', async () => {
    const { user, container } = open('/settings/password');
    const rule = () => screen.getByText('10자 이상이에요').closest('li');
    expect(rule()).toHaveTextContent('아직이에요');
    await type(user, '옛날의 긴 비밀번호', '8362917405', '836291740x');
    expect(rule()).toHaveTextContent('지켰어요');
    expect(screen.getByText('새 비밀번호가 서로 달라요')).toBeVisible();
    expect(screen.getByLabelText('새 비밀번호 다시 입력')).toHaveFocus();
    expect(sent).toEqual([]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('reports a wrong current password, without ending the session', async () => {
    answer(() => problem(401, 1017, 'WRONG_PASSWORD', '서버의 문장'));
    const { user } = open('/settings/password');
    await type(user, '틀린 비밀번호예요', '8362917405', '8362917405');
    expect(await screen.findByText('지금 비밀번호가 맞지 않아요')).toBeVisible();
    expect(screen.getByLabelText('지금 비밀번호')).toHaveFocus();
    expect(memberSid()).toBe(MEMBER_SID);
  });

  it('is blocked offline', async () => {
    answer(nothing);
    const { user } = open('/settings/password');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await type(user, '옛날의 긴 비밀번호', '8362917405', '8362917405');
    expect(screen.getByRole('button', { name: '비밀번호 바꾸기' })).toHaveAccessibleDescription('연결되면 할 수 있어요');
    expect(sent).toEqual([]);
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });
});

describe('verifying the address', () => {
  const codeIs = (right: string) => {
    let tries = 5;
    server.use(
      http.post('*/api/v1/auth/email/code', async ({ request }) => {
        sent.push(await request.json());
        return nothing();
      }),
      http.post('*/api/v1/auth/email/verify', async ({ request }) => {
        const { code } = (await request.json()) as { code: string };
        if (code === right) return HttpResponse.json({ ...member, emailVerified: true });
        tries -= 1;
        return HttpResponse.json(
          { code: 1019, reason: 'CODE_INVALID', message: '서버의 문장', facts: { triesLeft: tries } },
          { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
        );
      }),
    );
  };

  it('takes a mailed code, and shows how many attempts a wrong one leaves', async () => {
    codeIs('123456');
    const { user, container } = open('/settings/email');
    // Double taps send one request each.
    doubleTap(await screen.findByRole('button', { name: '인증번호 받기' }));
    const code = await screen.findByLabelText('인증번호');
    await waitFor(() => expect(code).toHaveFocus());
    expect(sent).toEqual([{ memberSid: MEMBER_SID }]);
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    await user.type(code, '12a3-457');
    expect(code).toHaveValue('123457');
    doubleTap(screen.getByRole('button', { name: '인증하기' }));
    expect(await screen.findByText('인증번호가 맞지 않아요. 4번 더 입력할 수 있어요.')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.clear(code);
    await user.type(code, '123456{Enter}');
    expect(await screen.findByText('이메일을 인증했어요')).toBeVisible();
  });

  it('allows another code only after a minute', async () => {
    codeIs('123456');
    const { user } = open('/settings/email');
    await user.click(await screen.findByRole('button', { name: '인증번호 받기' }));
    const again = await screen.findByRole('button', { name: /^다시 보내기 \(\d+초\)$/ });
    await user.click(again);
    expect(sent).toHaveLength(1);
  });

  it('reports a repeated request that came too soon', async () => {
    server.use(http.post('*/api/v1/auth/email/code', () => problem(429, 1004, 'TOO_MANY_ATTEMPTS')));
    const { user } = open('/settings/email');
    await user.click(await screen.findByRole('button', { name: '인증번호 받기' }));
    expect(await screen.findByText('메일을 방금 보냈어요. 1분 뒤에 다시 보낼 수 있어요.')).toBeVisible();
  });

  it('says when the next code may be asked for after too many', async () => {
    const refused = { code: 1004, reason: 'TOO_MANY_ATTEMPTS', message: '', traceId: '', facts: { retryAfterS: 3241 } };
    server.use(http.post('*/api/v1/auth/email/code', () => HttpResponse.json(refused, { status: 429 })));
    const { user } = open('/settings/email');
    await user.click(await screen.findByRole('button', { name: '인증번호 받기' }));
    expect(await screen.findByText('메일을 방금 보냈어요. 55분 뒤에 다시 보낼 수 있어요.')).toBeVisible();
  });
});
