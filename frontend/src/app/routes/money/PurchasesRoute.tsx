import { purchaseCopy } from '@/features/item/copy';
import { Purchases } from '@/features/item/Purchases';
import { moneyPaths } from '@/shared/moneyPaths';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function PurchasesRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={purchaseCopy.screen} backTo={moneyPaths.items} />
      <main id="main">
        <Purchases
          memberSid={memberSid}
          browse={
            <ButtonLink to={moneyPaths.items} tone="neutral">
              {purchaseCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
