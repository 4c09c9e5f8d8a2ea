import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Celebration } from './Celebration';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('is over after 1.2 seconds', () => {
  render(<Celebration />);
  expect(screen.getByTestId('celebration')).toBeInTheDocument();
  act(() => {
    vi.advanceTimersByTime(1_200);
  });
  expect(screen.queryByTestId('celebration')).toBeNull();
});

it('ends at a tap or a key', () => {
  render(<Celebration />);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByTestId('celebration')).toBeNull();
});

it('does not appear where motion is reduced', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  render(<Celebration />);
  expect(screen.queryByTestId('celebration')).toBeNull();
});
