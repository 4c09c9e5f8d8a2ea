import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { announce, announceScreen } from '@/shared/ui/screenAnnouncer';
import { LiveRegions } from './LiveRegions';

it('keeps nothing of the screen before', () => {
  render(<LiveRegions />);
  act(() => announceScreen('홈'));
  act(() => announce('내 총자산 4,996,347원'));
  expect(screen.getByText('내 총자산 4,996,347원')).toBeInTheDocument();
  act(() => announceScreen('로그인'));
  expect(screen.queryByText('내 총자산 4,996,347원')).toBeNull();
  expect(screen.getByText('로그인')).toBeInTheDocument();
});
