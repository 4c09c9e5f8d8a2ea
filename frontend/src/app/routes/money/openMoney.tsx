import { Route, Routes } from 'react-router';
import { renderApp } from '@/testing/renderApp';
import MoneyRoutes from './MoneyRoutes';

/** Draws the screens below /my for a test; what leads elsewhere shows nothing. */
export const openMoney = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/my/*" element={<MoneyRoutes />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );
