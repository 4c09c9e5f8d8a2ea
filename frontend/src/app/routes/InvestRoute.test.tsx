import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { InvestRoute } from './InvestRoute';

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2" element={<InvestRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );

describe('investing', () => {
  it.each([
    ['begins with stocks', null, '/invest-v2', '/invest-v2/stock'],
    ['opens on the kind that was used last', 'gold', '/invest-v2', '/invest-v2/gold'],
    ['begins with stocks where a selection was used last', 'popular', '/invest-v2', '/invest-v2/stock'],
    ['leads on from an old link to what is liked', null, '/invest-v2?tab=liked', '/my/likes'],
    ['leads on from an old link to what is popular', 'coin', '/invest-v2?tab=popular', '/invest-v2/stock'],
  ])('%s', async (_what, remembered, at, destination) => {
    localStorage.clear();
    if (remembered !== null) localStorage.setItem('invest-tab', remembered);
    open(at);
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(destination));
  });
});
