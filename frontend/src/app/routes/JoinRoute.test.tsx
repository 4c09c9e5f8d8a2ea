import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { endSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, problem, sessionReply } from '@/testing/wireSamples';
import JoinRoute from './JoinRoute';

type User = ReturnType<typeof renderApp>['user'];

const open = () =>
  renderApp(
    <Routes>
      <Route path="/join" element={<JoinRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at: '/join?next=%2Fmy' },
  );

let joined: Record<string, unknown>[] = [];

const answer = (reply: (attempt: number) => Response) =>
  server.use(
    http.post('*/api/v1/auth/join', async ({ request }) => {
      joined.push((await request.json()) as Record<string, unknown>);
      return reply(joined.length);
    }),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
  );

const next = (user: User) => user.click(screen.getByRole('button', { name: '다음' }));

async function toProfile(user: User) {
  await user.click(screen.getByRole('checkbox', { name: '전체 동의' }));
  await next(user);
  await user.type(await screen.findByLabelText('이메일'), 'minji@example.kr');
  await user.type(screen.getByLabelText('비밀번호'), '봄날의 산책은 즐거워');
  await next(user);
  await user.type(await screen.findByLabelText('닉네임'), '새싹민지');
  await user.type(screen.getByLabelText('출생연도'), '1998');
}

beforeEach(() => {
  joined = [];
  endSession('logout');
});

describe('joining', () => {
  it('takes four steps and ends with the starting money', async () => {
    answer(() => HttpResponse.json(sessionReply));
    const { user } = open();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '4단계 중 1단계');
    await toProfile(user);
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '4단계 중 3단계');
    await user.click(screen.getByRole('radio', { name: '여성' }));
    await user.click(screen.getByRole('button', { name: '가입하기' }));

    expect(await screen.findByRole('heading', { name: '새싹민지님, 반가워요!' })).toHaveFocus();
    expect(await screen.findByText('가상 머니 500만원으로 연습을 시작해요')).toBeVisible();
    // The bar stays, without a back button.
    expect(within(screen.getByRole('banner')).getByRole('heading', { level: 1, name: '회원가입' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: '뒤로 가기' })).toBeNull();
    expect(joined).toEqual([
      {
        email: 'minji@example.kr',
        password: '봄날의 산책은 즐거워',
        nickname: '새싹민지',
        birthYear: 1998,
        gender: 'F',
        os: 'web',
        termsAgreed: true,
        privacyAgreed: true,
        age14: true,
        marketingAgreed: true,
      },
    ]);
    await user.click(screen.getByRole('button', { name: '시작하기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/my'));
  });

  it('requires each mandatory consent, and shows 전체 동의 as mixed for some', async () => {
    const { user } = open();
    await next(user);
    expect(screen.getByRole('alert')).toHaveTextContent('[필수] 항목에 모두 동의해주세요');
    await user.click(screen.getByRole('checkbox', { name: /만 14세/ }));
    expect(screen.getByRole('checkbox', { name: '전체 동의' })).toBePartiallyChecked();
  });

  it('shows the error of a field', async () => {
    const { user } = open();
    await user.click(screen.getByRole('checkbox', { name: '전체 동의' }));
    await next(user);
    await user.type(await screen.findByLabelText('이메일'), 'minji');
    await user.type(screen.getByLabelText('비밀번호'), '여덟글자');
    await next(user);
    expect(screen.getByText('이메일 형식을 확인해주세요')).toBeVisible();
    expect(screen.getByText('6자 더 입력해주세요')).toBeVisible();
    expect(screen.getByLabelText('이메일')).toHaveFocus();
  });

  it('refuses a guessable password at its step, and a year that cannot be', async () => {
    const { user } = open();
    await user.click(screen.getByRole('checkbox', { name: '전체 동의' }));
    await next(user);
    await user.type(await screen.findByLabelText('이메일'), 'minji@example.kr');
    await user.type(screen.getByLabelText('비밀번호'), '1234567890');
    await next(user);
    expect(screen.getByText('짐작하기 쉬운 비밀번호예요. 다른 비밀번호로 정해주세요')).toBeVisible();
    await user.clear(screen.getByLabelText('비밀번호'));
    await user.type(screen.getByLabelText('비밀번호'), '봄날의 산책은 즐거워');
    await next(user);
    await user.type(await screen.findByLabelText('닉네임'), '새싹민지');
    await user.type(screen.getByLabelText('출생연도'), '3000');
    await user.click(screen.getByRole('button', { name: '가입하기' }));
    expect(screen.getByText(/^1900년부터 \d{4}년까지 입력할 수 있어요$/)).toBeVisible();
  });

  it('leads a registered address back to its field, with the form kept and a link to sign in', async () => {
    answer((attempt) => (attempt === 1 ? problem(409, 1002, 'EMAIL_TAKEN', '서버의 문장') : HttpResponse.json(sessionReply)));
    const { user } = open();
    await toProfile(user);
    await user.click(screen.getByRole('button', { name: '가입하기' }));
    expect(await screen.findByText('이미 가입한 이메일이에요')).toBeVisible();
    expect(screen.getByRole('link', { name: '로그인하기' })).toHaveAttribute('href', '/login?next=%2Fmy');
    await user.clear(screen.getByLabelText('이메일'));
    await user.type(screen.getByLabelText('이메일'), 'minji2@example.kr');
    await next(user);
    expect(await screen.findByLabelText('닉네임')).toHaveValue('새싹민지');
    await user.click(screen.getByRole('button', { name: '가입하기' }));
    await screen.findByText('새싹민지님, 반가워요!');
  });

  it('stays on its step when the network fails', async () => {
    answer(() => HttpResponse.error());
    const { user } = open();
    await toProfile(user);
    await user.click(screen.getByRole('button', { name: '가입하기' }));
    expect(await screen.findByText('연결이 원활하지 않아요. 잠시 후 다시 시도해주세요.')).toBeVisible();
    expect(screen.getByLabelText('닉네임')).toHaveValue('새싹민지');
  });

  it('is accessible on every step', async () => {
    const { user, container } = open();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: '전체 동의' }));
    await next(user);
    await screen.findByLabelText('이메일');
    expect(await axeViolations(container)).toEqual([]);
    await user.type(screen.getByLabelText('이메일'), 'minji@example.kr');
    await user.type(screen.getByLabelText('비밀번호'), '봄날의 산책은 즐거워');
    await next(user);
    await screen.findByLabelText('닉네임');
    expect(await axeViolations(container)).toEqual([]);
  });
});
