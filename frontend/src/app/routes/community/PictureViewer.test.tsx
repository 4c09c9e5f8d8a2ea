import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Thumbs } from '@/features/community/Thumbs';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { picture } from './communitySamples';

const images = [picture('a'), picture('b', { alt: '하락하는 차트' }), picture('c')];

const open = (pictures = images) =>
  renderApp(
    <Routes>
      <Route path="/community" element={<Thumbs images={pictures} nickname="Ann" />} />
    </Routes>,
    { at: '/community' },
  );
const viewer = () => screen.findByRole('dialog', { name: '사진 크게 보기' });
const thumb = (place: number, of = 3) => screen.getByRole('button', { name: new RegExp(`사진 ${String(place)}/${String(of)} 크게 보기$`) });

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

beforeEach(() => {
  Element.prototype.scrollTo = () => undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('opens at the picture that was tapped, and back closes it alone and returns the focus', async () => {
  const { user } = open();
  expect(within(thumb(2)).getByRole('img', { name: '하락하는 차트' })).toHaveAttribute('src', '/files/b/446');
  await user.click(thumb(2));
  const dialog = await viewer();
  expect(within(dialog).getByText('2/3')).toBeVisible();
  expect(within(dialog).getByRole('img', { name: '하락하는 차트' })).toHaveAttribute('src', '/files/b/1920');
  expect(await axeViolations(dialog)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: '뒤로' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByTestId('address')).toHaveTextContent('/community');
  expect(thumb(2)).toHaveFocus();
});

it('plays every two seconds until it is paused', async () => {
  const { user } = open();
  await user.click(thumb(2));
  const dialog = await viewer();
  vi.useFakeTimers();
  fireEvent.click(within(dialog).getByRole('button', { name: '자동 넘김 멈추기' }));
  fireEvent.click(within(dialog).getByRole('button', { name: '자동으로 넘기기' }));
  pass(1_999);
  expect(within(dialog).getByText('2/3')).toBeVisible();
  pass(1);
  expect(within(dialog).getByText('3/3')).toBeVisible();
  pass(2_000);
  expect(within(dialog).getByText('1/3')).toBeVisible();
  fireEvent.click(within(dialog).getByRole('button', { name: '자동 넘김 멈추기' }));
  pass(10_000);
  expect(within(dialog).getByText('1/3')).toBeVisible();
});

it('stops playing at the first touch, and a double tap enlarges', async () => {
  const { user } = open();
  await user.click(thumb(1));
  const dialog = await viewer();
  const slide = within(dialog).getByRole('img', { name: 'Ann님이 올린 사진 1' }).closest('li') as HTMLElement;
  vi.spyOn(slide, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 800));
  const tap = () => {
    fireEvent.pointerDown(slide, { pointerId: 1, clientX: 200, clientY: 400 });
    fireEvent.pointerUp(slide, { pointerId: 1, clientX: 200, clientY: 400 });
  };
  tap();
  expect(within(dialog).getByRole('button', { name: '자동으로 넘기기' })).toBeVisible();
  expect(slide).not.toHaveAttribute('data-zoomed');
  tap();
  expect(slide).toHaveAttribute('data-zoomed');
  tap();
  tap();
  expect(slide).not.toHaveAttribute('data-zoomed');
});

it('goes on by buttons and arrows, and says what does not load', async () => {
  const { user } = open();
  await user.click(thumb(2));
  const dialog = await viewer();
  await user.click(within(dialog).getByRole('button', { name: '다음 사진' }));
  expect(within(dialog).getByText('3/3')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: '다음 사진' })).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(within(dialog).getByText('1/3')).toBeVisible();
  fireEvent.error(within(dialog).getByRole('img', { name: 'Ann님이 올린 사진 1' }));
  expect(within(dialog).getByText('사진을 불러오지 못했어요')).toBeVisible();
});

it.each([
  ['one picture', images.slice(0, 1), false],
  ['less motion', images, true],
])('does not play with %s', async (_, pictures, isStill) => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: isStill, addEventListener: () => undefined, removeEventListener: () => undefined } as unknown as MediaQueryList);
  const { user } = open(pictures);
  await user.click(thumb(1, pictures.length));
  const dialog = await viewer();
  expect(within(dialog).queryByRole('button', { name: '자동 넘김 멈추기' })).toBeNull();
});

it('shows nothing without pictures', () => {
  open([]);
  expect(screen.queryByRole('list')).toBeNull();
});
