import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect } from 'react';
import { BrowserRouter, Link, useLocation, useNavigate } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { createQueryClient } from '@/shared/api/queryClient';
import { TopBar } from './TopBar';

/** A screen that removes a secret from its address, as the target of a mailed link does. */
function Screen() {
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    if (search !== '') void navigate('/password/new', { replace: true });
  }, [navigate, search]);
  return (
    <>
      <TopBar title="새 비밀번호" backTo="/login" />
      <Link to="/terms">약관</Link>
    </>
  );
}

const open = () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter>
        <Screen />
      </BrowserRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup();
};

beforeEach(() => window.history.replaceState(null, '', '/password/new?token=secret'));

it('back on the first screen of a visit leads into the app, also when its address was replaced', async () => {
  const user = open();
  await waitFor(() => expect(location.search).toBe(''));
  await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
  expect(location.pathname).toBe('/login');
});

it('back on a later screen goes back', async () => {
  const user = open();
  await waitFor(() => expect(location.search).toBe(''));
  await user.click(screen.getByRole('link', { name: '약관' }));
  expect(location.pathname).toBe('/terms');
  await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
  await waitFor(() => expect(location.pathname).toBe('/password/new'));
});
