import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { createQueryClient } from '@/shared/api/queryClient';
import { OverlayHistory } from '@/shared/ui/overlayHistory';
import { SignInPromptHost } from '@/shared/ui/signInPrompt';
import { SnackbarHost } from '@/shared/ui/Snackbar';

/** Renders a screen as in the app: router, queries without retries, overlays and snackbars. */
export function renderApp(screen: ReactNode, { at = '/' }: { at?: string } = {}) {
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false }, mutations: { retry: 0, networkMode: 'always' } });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>
        {screen}
        <OverlayHistory />
        <SignInPromptHost />
        <SnackbarHost />
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, user: userEvent.setup(), queryClient };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}
