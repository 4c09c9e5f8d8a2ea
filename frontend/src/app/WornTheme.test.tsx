import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { renderApp } from '@/testing/renderApp';
import { member, MEMBER_SID } from '@/testing/wireSamples';
import { WornTheme } from './WornTheme';

const shown = () => document.documentElement.dataset.accent;

beforeEach(() => {
  document.documentElement.dataset.accent = 'theme-sea';
  localStorage.setItem('accent', 'theme-sea');
});

it('shows what the member wears once the member is known, and remembers it', async () => {
  const { queryClient } = renderApp(<WornTheme memberSid={MEMBER_SID} />);
  expect(shown()).toBe('theme-sea');
  const know = (theme: string | null) => act(() => void queryClient.setQueryData(queryKeys.member(MEMBER_SID), { ...member, theme }));
  know('theme-forest');
  await waitFor(() => expect([shown(), localStorage.getItem('accent')]).toEqual(['theme-forest', 'theme-forest']));
  know(null);
  await waitFor(() => expect([shown(), localStorage.getItem('accent')]).toEqual([undefined, null]));
});

it('shows nobody the theme of the one before', () => {
  renderApp(<WornTheme memberSid={null} />);
  expect([shown(), localStorage.getItem('accent')]).toEqual([undefined, null]);
});
