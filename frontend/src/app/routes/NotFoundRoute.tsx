import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { EmptyState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';

export function NotFoundRoute() {
  return (
    <>
      <TopBar title={state.notFound} backTo={paths.boot} titleShown={false} />
      <main id="main">
        <EmptyState
          title={state.notFound}
          action={
            <ButtonLink to={paths.boot} tone="neutral" replace>
              {state.goHome}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
