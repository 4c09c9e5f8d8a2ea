import { AlertList } from '@/features/alert/AlertList';
import { alertCopy } from '@/features/alert/copy';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

/** The member's price alerts. */
export default function AlertsRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={alertCopy.screen} backTo={paths.my} />
      <main id="main">
        <AlertList
          memberSid={memberSid}
          browse={
            <ButtonLink to={paths.stockList} tone="neutral">
              {alertCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
