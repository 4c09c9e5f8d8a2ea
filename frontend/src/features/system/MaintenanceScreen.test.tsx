import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, describe, expect, it } from 'vitest';
import { api, unwrap } from '@/shared/api/client';
import { endMaintenance, useMaintenance } from '@/shared/api/maintenance';
import { refetchRuntimeConfig } from '@/shared/api/runtimeConfig';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import MaintenanceScreen from './MaintenanceScreen';

const UNTIL = '2026-11-22T02:30:00+09:00';

function Frame() {
  return useMaintenance() ? <MaintenanceScreen /> : <p>open</p>;
}
const config = (maintenanceUntil?: string) =>
  server.use(http.get('*/config.json', () => HttpResponse.json({ version: '1', ...(maintenanceUntil ? { maintenanceUntil } : {}) })));

afterEach(() => act(endMaintenance));

describe('maintenance', () => {
  it('is detected from any reply, with its end, and ends at a retry', async () => {
    server.use(
      http.get('*/api/v1/stock/real/code/005930', () =>
        HttpResponse.json({ code: 9014, reason: 'MAINTENANCE', message: '', traceId: '' }, { status: 503 }),
      ),
    );
    config(UNTIL);
    const { user, container } = renderApp(<Frame />);
    const ask = unwrap(api.GET('/api/v1/stock/real/code/{code}', { params: { path: { code: '005930' } } }));
    await act(() => expect(ask).rejects.toMatchObject({ reason: 'MAINTENANCE' }));
    expect(await screen.findByRole('heading', { name: '지금은 점검 중이에요' })).toBeInTheDocument();
    expect(await screen.findByText('02:30에 다시 열어요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);

    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(screen.getByText('02:30에 다시 열어요')).toBeVisible();
    config();
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('open')).toBeVisible();
  });

  it('is known from the start when the config says so', async () => {
    config(UNTIL);
    renderApp(<Frame />);
    await act(() => refetchRuntimeConfig());
    expect(screen.getByText('02:30에 다시 열어요')).toBeVisible();
    config();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(screen.getByText('open')).toBeVisible());
  });
});
