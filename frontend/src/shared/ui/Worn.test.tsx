import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Framed, SPROUT_LEAVES } from './Worn';

it('gives the frame of the sprout the leaves of its picture, and other frames none', () => {
  const { container, rerender } = render(<Framed image="frame-sprout">나</Framed>);
  expect(container.querySelector('path')).toHaveAttribute('d', SPROUT_LEAVES);
  rerender(<Framed image="frame-gold">나</Framed>);
  expect(container.querySelector('path')).toBeNull();
});
