import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from './Dialog';

vi.unmock('./useAcceptsTaps');
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('accepts its action only half a second after it opens, and closing at once', () => {
  const confirmed = vi.fn();
  const closed = vi.fn();
  render(
    <MemoryRouter>
      <Dialog open title="주문을 취소할까요?" onClose={closed} confirm={{ label: '주문 취소', onClick: confirmed }} />
    </MemoryRouter>,
  );
  const button = screen.getByRole('button', { name: '주문 취소' });
  fireEvent.click(button);
  act(() => {
    vi.advanceTimersByTime(480);
  });
  fireEvent.click(button);
  expect(confirmed).not.toHaveBeenCalled();
  act(() => {
    vi.advanceTimersByTime(40);
  });
  fireEvent.click(button);
  expect(confirmed).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: '닫기' }));
  expect(closed).toHaveBeenCalled();
});
