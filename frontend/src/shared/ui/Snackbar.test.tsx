import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SnackbarHost } from './Snackbar';
import { dismissSnackbar, showSnackbar } from './snackbarStore';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <MemoryRouter>
      <SnackbarHost />
    </MemoryRouter>,
  );
});
afterEach(() => {
  act(dismissSnackbar);
  vi.useRealTimers();
});

const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};
const touch = (text: string) => fireEvent.pointerEnter(screen.getByText(text).parentElement as HTMLElement);

test('a message stays while it is touched', () => {
  act(() => showSnackbar('하나'));
  touch('하나');
  pass(60_000);
  expect(screen.getByText('하나')).toBeInTheDocument();
  fireEvent.pointerLeave(screen.getByText('하나').parentElement as HTMLElement);
  pass(60_000);
  expect(screen.queryByText('하나')).toBeNull();
});

test('a message that replaces a touched one leaves by itself', () => {
  act(() => showSnackbar('하나'));
  touch('하나');
  act(() => showSnackbar('둘'));
  pass(60_000);
  expect(screen.queryByText('둘')).toBeNull();
});

test('a message that begins in a hidden page waits until somebody can read it', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  act(() => showSnackbar('하나'));
  pass(60_000);
  expect(screen.getByText('하나')).toBeInTheDocument();
  hidden.mockReturnValue(false);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.getByText('하나')).toBeInTheDocument();
  pass(60_000);
  expect(screen.queryByText('하나')).toBeNull();
});
