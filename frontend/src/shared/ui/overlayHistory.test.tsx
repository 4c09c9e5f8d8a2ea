import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { BrowserRouter, Route, Routes, useLocation, useNavigate } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { Dialog } from './Dialog';
import { OverlayHistory, useNavigateFromOverlay } from './overlayHistory';
import { Sheet } from './Sheet';

let goBack: () => void = () => undefined;
const entries: string[] = [];

function Page() {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const navigateAway = useNavigateFromOverlay();
  return (
    <>
      <button type="button" onClick={() => setSheetOpen(true)}>
        sheet
      </button>
      <Sheet open={isSheetOpen} title="Sheet" onClose={() => setSheetOpen(false)}>
        <button type="button" onClick={() => setDialogOpen(true)}>
          dialog
        </button>
        <button type="button" onClick={() => navigateAway('/other')}>
          away
        </button>
        <button
          type="button"
          onClick={() => {
            setDialogOpen(false);
            setSheetOpen(false);
          }}
        >
          close both
        </button>
      </Sheet>
      <Dialog open={isDialogOpen} title="Dialog" body="Body" onClose={() => setDialogOpen(false)} />
    </>
  );
}

function Spy() {
  const navigate = useNavigate();
  const { pathname, key } = useLocation();
  goBack = () => void navigate(-1);
  entries.push(`${pathname} ${key}`);
  return <p>at {pathname}</p>;
}

const open = () =>
  renderApp(
    <>
      <Spy />
      <Routes>
        <Route path="/" element={<Page />} />
        <Route path="*" element={<p>elsewhere</p>} />
      </Routes>
    </>,
  );
const isOpen = (name: string) => screen.queryByRole('dialog', { name }) !== null;

describe('overlays and back', () => {
  it('closes one layer at a time and never the page', async () => {
    const { user } = open();
    await user.click(screen.getByRole('button', { name: 'sheet' }));
    await user.click(screen.getByRole('button', { name: 'dialog' }));
    expect(isOpen('Dialog')).toBe(true);
    act(goBack);
    await waitFor(() => expect(isOpen('Dialog')).toBe(false));
    expect(isOpen('Sheet')).toBe(true);
    act(goBack);
    await waitFor(() => expect(isOpen('Sheet')).toBe(false));
    expect(screen.getByText('at /')).toBeInTheDocument();
  });

  it('removes its own entry when closed by its button', async () => {
    const { user } = open();
    const first = entries.at(-1);
    await user.click(screen.getByRole('button', { name: 'sheet' }));
    await waitFor(() => expect(entries.at(-1)).not.toBe(first));
    await user.click(screen.getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(entries.at(-1)).toBe(first));
    await waitFor(() => expect(isOpen('Sheet')).toBe(false));
  });

  it('closes two overlays at once', async () => {
    const { user } = open();
    const first = entries.at(-1);
    await user.click(screen.getByRole('button', { name: 'sheet' }));
    await user.click(screen.getByRole('button', { name: 'dialog' }));
    await user.click(screen.getByRole('button', { name: 'close both', hidden: true }));
    await waitFor(() => expect(entries.at(-1)).toBe(first));
    await waitFor(() => expect(isOpen('Sheet') || isOpen('Dialog')).toBe(false));
  });

  it('is replaced by its link, so that back skips it', async () => {
    const { user } = open();
    await user.click(screen.getByRole('button', { name: 'sheet' }));
    await user.click(screen.getByRole('button', { name: 'away' }));
    expect(await screen.findByText('at /other')).toBeInTheDocument();
    act(goBack);
    expect(await screen.findByText('at /')).toBeInTheDocument();
    expect(isOpen('Sheet')).toBe(false);
  });

  it('closes when its entry is left before it was rendered', async () => {
    render(
      <BrowserRouter>
        <Page />
        <OverlayHistory />
      </BrowserRouter>,
    );
    const user = userEvent.setup();
    const openSheet = () => user.click(screen.getByRole('button', { name: 'sheet' }));
    const hasEntry = () => waitFor(() => expect(window.history.state).toMatchObject({ usr: { overlays: [expect.any(String)] } }));
    await openSheet();
    await hasEntry();
    window.history.back();
    await waitFor(() => expect(isOpen('Sheet')).toBe(false));

    const pushState = window.history.pushState.bind(window.history);
    vi.spyOn(window.history, 'pushState').mockImplementationOnce((state, unused, url) => {
      const before: unknown = window.history.state;
      pushState(state, unused, url);
      // Back, before the router renders the new entry.
      queueMicrotask(() => {
        window.history.replaceState(before, '');
        window.dispatchEvent(new PopStateEvent('popstate', { state: before }));
      });
    });
    await openSheet();
    await waitFor(() => expect(isOpen('Sheet')).toBe(false));

    await openSheet();
    await hasEntry();
    expect(isOpen('Sheet')).toBe(true);
  });

  it('is labelled', async () => {
    const { user, container } = open();
    await user.click(screen.getByRole('button', { name: 'sheet' }));
    expect(await axeViolations(container)).toEqual([]);
  });
});
