import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { MissingState } from '@/shared/ui/MissingState';
import { TopBar } from '@/shared/ui/TopBar';

export function NotFoundRoute() {
  return (
    <>
      <TopBar title={state.notFound} backTo={paths.boot} titleShown={false} />
      <main id="main">
        <MissingState title={state.notFound} to={paths.boot} label={state.goHome} />
      </main>
    </>
  );
}
