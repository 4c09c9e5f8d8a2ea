import '@/shared/tokens/tokens.css';
import '@/shared/ui/global.css';
import '@/app/boot.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { loadFullFont } from '@/app/loadFullFont';
import { loadRuntimeConfig } from '@/shared/api/runtimeConfig';
import { paintBrowserBar } from '@/shared/platform/theme';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

void loadRuntimeConfig();
paintBrowserBar();
const screen = createRoot(root);
// A transition is drawn in slices: the skeleton of the page stays, and a tap is heard between two of them.
startTransition(() => {
  screen.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
loadFullFont();
