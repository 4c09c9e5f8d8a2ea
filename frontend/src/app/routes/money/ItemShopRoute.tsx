import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { itemCopy, purchaseCopy } from '@/features/item/copy';
import { ItemShop } from '@/features/item/ItemShop';
import { memberQuery } from '@/shared/api/memberQuery';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { ReceiptIcon } from '@/shared/ui/laterIcons';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import { useBasicCash } from './useBasicCash';

export default function ItemShopRoute({ memberSid }: { memberSid: number }) {
  const navigate = useNavigate();
  const { data: member } = useQuery(memberQuery(memberSid));
  return (
    <>
      <TopBar
        title={itemCopy.screen}
        backTo={paths.my}
        actions={
          <TopBarButton label={purchaseCopy.screen} onClick={() => void navigate(moneyPaths.purchases)}>
            <ReceiptIcon />
          </TopBarButton>
        }
      />
      <main id="main">
        <ItemShop memberSid={memberSid} member={member ?? null} availableWon={useBasicCash(memberSid)} />
      </main>
    </>
  );
}
