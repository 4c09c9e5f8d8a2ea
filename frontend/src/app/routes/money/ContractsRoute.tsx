import { Contracts } from '@/features/contract/Contracts';
import { contractCopy } from '@/features/contract/copy';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function ContractsRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={contractCopy.screen} backTo={paths.account} />
      <main id="main">
        <Contracts
          memberSid={memberSid}
          browse={
            <ButtonLink to={paths.productList} tone="neutral">
              {contractCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
