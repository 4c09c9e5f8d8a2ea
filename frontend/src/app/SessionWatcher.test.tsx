import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { blockAuthor } from '@/features/community/blockAuthor';
import { queryKeys } from '@/shared/api/queryKeys';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { MEMBER_SID } from '@/testing/wireSamples';
import { SessionWatcher } from './SessionWatcher';

beforeEach(() => startSession({ accessToken: 'token', memberSid: MEMBER_SID }));

describe('a session that is over', () => {
  it("leads from a member's screen to the login, and back to it afterwards", async () => {
    const { queryClient } = renderApp(<SessionWatcher isPrivate />, { at: '/my/holdings' });
    queryClient.setQueryData(queryKeys.assets(MEMBER_SID), { total: 1 });
    act(() => endSession('expired'));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/login?next=%2Fmy%2Fholdings'));
    expect(screen.getByText('로그인한 지 오래돼서 다시 로그인해주세요')).toBeInTheDocument();
    expect(queryClient.getQueryData(queryKeys.assets(MEMBER_SID))).toBeUndefined();
  });

  it('is told of although an undo was still offered', async () => {
    const { queryClient } = renderApp(<SessionWatcher isPrivate />, { at: '/my/holdings' });
    act(() => blockAuthor(queryClient, MEMBER_SID, { userSid: 200_001, nickname: 'Ann' }));
    expect(screen.getByText('Ann님을 차단했어요')).toBeInTheDocument();
    act(() => endSession('expired'));
    expect(await screen.findByText('로그인한 지 오래돼서 다시 로그인해주세요')).toBeInTheDocument();
    expect(screen.queryByText('Ann님을 차단했어요')).toBeNull();
  });

  it('shows a dialog on a public screen and offers the login', async () => {
    const { user, container } = renderApp(<SessionWatcher isPrivate={false} />, { at: '/invest-v2/stock/005930' });
    act(() => endSession('expired'));
    expect(await screen.findByRole('dialog', { name: '로그인이 끝났어요' })).toBeVisible();
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '다시 로그인하기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/login?next=%2Finvest-v2%2Fstock%2F005930'));
  });

  it('leaves a public screen readable', async () => {
    const { user } = renderApp(<SessionWatcher isPrivate={false} />, { at: '/invest-v2/stock' });
    act(() => endSession('expired'));
    await user.click(await screen.findByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock');
  });

  it('shows nothing after logging out', () => {
    renderApp(<SessionWatcher isPrivate={false} />, { at: '/invest-v2/stock' });
    act(() => endSession('logout'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
