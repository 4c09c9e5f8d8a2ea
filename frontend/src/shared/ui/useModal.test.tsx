import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { Dialog } from './Dialog';

const show = vi.fn();
const hide = vi.fn();
const page = HTMLElement.prototype as Partial<HTMLElement>;

// jsdom has no popovers.
beforeEach(() => {
  page.showPopover = show;
  page.hidePopover = hide;
});
afterEach(() => {
  delete page.showPopover;
  delete page.hidePopover;
  vi.clearAllMocks();
});

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <input aria-label="field" />
      <Dialog open={isOpen} title="Dialog" onClose={() => setOpen(false)} />
    </>
  );
}

describe('a closing dialog', () => {
  it('returns the page and the focus at once and stays visible until it has left', async () => {
    const { user } = renderApp(<Page />);
    await user.click(screen.getByRole('button', { name: 'open' }));
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    await user.click(screen.getByRole('button', { name: '닫기' }));

    expect(dialog.open).toBe(false);
    expect(show).toHaveBeenCalledTimes(1);
    expect(dialog).toHaveAttribute('inert');
    expect(dialog).toHaveAttribute('data-state', 'closing');
    expect(document.documentElement).not.toHaveAttribute('data-locked');
    expect(screen.getByRole('button', { name: 'open' })).toHaveFocus();
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await user.type(screen.getByRole('textbox', { name: 'field' }), 'kept');
    expect(screen.getByRole('textbox', { name: 'field' })).toHaveValue('kept');
  });

  it('is restored when it is opened meanwhile', async () => {
    const { user } = renderApp(<Page />);
    const opener = screen.getByRole('button', { name: 'open' });
    await user.click(opener);
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    await user.click(screen.getByRole('button', { name: '닫기' }));
    opener.click();
    await waitFor(() => expect(screen.getByRole<HTMLDialogElement>('dialog').open).toBe(true));
    const shown = screen.getByRole('dialog');
    expect(shown).not.toHaveAttribute('inert');
    expect(shown).not.toHaveAttribute('popover');
    expect(hide).toHaveBeenCalledTimes(shown === dialog ? 1 : 0);
    expect(document.documentElement).toHaveAttribute('data-locked');
  });
});
