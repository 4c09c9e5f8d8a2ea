import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { usePullToRefresh } from './usePullToRefresh';

function Page({ onRefresh }: { onRefresh: () => void }) {
  const indicator = usePullToRefresh(onRefresh);
  return <div ref={indicator} data-testid="indicator" />;
}

const pull = (px: number) => {
  fireEvent.touchStart(window, { touches: [{ clientY: 100 }] });
  fireEvent.touchMove(window, { touches: [{ clientY: 100 + px }] });
};
const heightPx = () => screen.getByTestId('indicator').style.height;

it('refreshes when a long pull is let go', () => {
  const onRefresh = vi.fn();
  render(<Page onRefresh={onRefresh} />);
  pull(126);
  expect(heightPx()).toBe('63px');
  fireEvent.touchEnd(window, { touches: [] });
  expect(onRefresh).not.toHaveBeenCalled();
  pull(400);
  expect(heightPx()).toBe('88px');
  fireEvent.touchEnd(window, { touches: [] });
  expect(onRefresh).toHaveBeenCalledOnce();
  expect(heightPx()).toBe('0px');
});

it('refreshes nothing when the system takes the gesture over', () => {
  const onRefresh = vi.fn();
  render(<Page onRefresh={onRefresh} />);
  pull(400);
  fireEvent.touchCancel(window, { touches: [] });
  fireEvent.touchEnd(window, { touches: [] });
  expect(onRefresh).not.toHaveBeenCalled();
  expect(heightPx()).toBe('0px');
});
