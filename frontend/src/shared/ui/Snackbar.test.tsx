import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { SnackbarHost } from './Snackbar';
import { dismissSnackbar, showSnackbar, takeSnackbarAction } from './snackbarStore';

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

describe('a message that can be undone', () => {
  const undoable = (text: string) => {
    const [onClick, onDismiss] = [vi.fn(), vi.fn()];
    act(() => showSnackbar(text, { action: { label: '취소', onClick }, onDismiss }));
    return { onClick, onDismiss };
  };

  test('stays when another act is told of, which is shown next', () => {
    const first = undoable('하나');
    act(() => showSnackbar('둘'));
    act(() => showSnackbar('셋'));
    expect(screen.getByText('하나')).toBeInTheDocument();
    expect(first.onDismiss).not.toHaveBeenCalled();
    act(takeSnackbarAction);
    expect(first.onClick).toHaveBeenCalledOnce();
    expect(first.onDismiss).not.toHaveBeenCalled();
    expect(screen.getByText('셋')).toBeInTheDocument();
    pass(60_000);
    expect(screen.queryByText(/하나|둘|셋/)).toBeNull();
  });

  test('is committed by the next one, behind which news still wait', () => {
    const first = undoable('하나');
    act(() => showSnackbar('둘'));
    const second = undoable('셋');
    expect(first.onDismiss).toHaveBeenCalledOnce();
    expect(screen.getByText('셋')).toBeInTheDocument();
    pass(2_000);
    expect(second.onDismiss).toHaveBeenCalledOnce();
    expect(screen.getByText('둘')).toBeInTheDocument();
  });

  test('does not keep news for the next member', () => {
    startSession({ accessToken: 'token', memberSid: 100_000 });
    undoable('하나');
    act(() => showSnackbar('둘'));
    act(() => endSession('logout'));
    act(dismissSnackbar);
    expect(screen.queryByText('둘')).toBeNull();
  });
});
