import '@/shared/tokens/tokens.css';
import '@/shared/ui/global.css';
import '@/app/boot.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { loadRuntimeConfig } from '@/shared/api/runtimeConfig';
import { paintBrowserBar } from '@/shared/platform/theme';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

void loadRuntimeConfig();
paintBrowserBar();
const screen = createRoot(root);
// A transition renders in slices, so that taps are handled in between; the static skeleton stays until it is done.
startTransition(() => {
  screen.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
loadFullFont();

/**
 * Adds Pretendard's 92 unicode-range faces after the first screen. Glyphs missing from the small preloaded font then load only
 * their pieces.
 */
function loadFullFont(): void {
  whenPageIdle(() => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/fonts/pretendard.css';
    document.head.append(link);
  });
}
