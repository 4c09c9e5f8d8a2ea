import { Component, type ReactNode } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { Button } from '@/shared/ui/Button';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';

const RELOADED_KEY = 'reloaded-for-chunk';

/** The fallback of a screen. A missing chunk of an older release is recovered by one silent reload. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey: string }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (isChunkError(error) && navigator.onLine && sessionStorage.getItem(RELOADED_KEY) === null) {
      sessionStorage.setItem(RELOADED_KEY, '1');
      location.reload();
    }
  }

  override componentDidMount() {
    window.addEventListener('online', this.onOnline);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.onOnline);
  }

  override componentDidUpdate(previous: { resetKey: string }) {
    if (previous.resetKey !== this.props.resetKey && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <>
        {/* A screen that is not here yet can be left. Of a broken one the bar may be what is broken. */}
        {isChunkError(error) && <TopBar title={titleOf(error)} titleShown={false} backTo={paths.boot} />}
        <main id="main">
          {!isChunkError(error) && <h1 className="sr-only">{titleOf(error)}</h1>}
          {this.explanation(error)}
        </main>
      </>
    );
  }

  /** A screen whose chunk failed to load is retried when the connection is back. */
  private readonly onOnline = () => {
    if (isChunkError(this.state.error)) location.reload();
  };

  private explanation(error: unknown) {
    // The screen was never loaded on this device; a reload loads it once there is a connection.
    if (isChunkError(error) && !navigator.onLine) return <ErrorState title={titleOf(error)} body="" onRetry={() => location.reload()} />;
    if (isChunkError(error)) {
      return <ErrorState title={titleOf(error)} body="" action={<Button onClick={() => location.reload()}>{state.reload}</Button>} />;
    }
    return (
      <ErrorState
        title={titleOf(error)}
        error={error instanceof ApiProblem ? error : undefined}
        onRetry={() => this.setState({ error: null })}
        action={
          <Button tone="text" onClick={() => location.assign(paths.boot)}>
            {state.goHome}
          </Button>
        }
      />
    );
  }
}

/** Called once a screen is up: the next chunk failure may reload again. */
export function forgetChunkReload(): void {
  sessionStorage.removeItem(RELOADED_KEY);
}

function isChunkError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}

function titleOf(error: unknown): string {
  if (!isChunkError(error)) return state.crash;
  return navigator.onLine ? state.newVersion : state.coldOffline;
}
