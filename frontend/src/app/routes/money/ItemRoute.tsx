import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { ItemPage } from '@/features/item/ItemPage';
import { memberQuery } from '@/shared/api/memberQuery';
import { moneyPaths } from '@/shared/moneyPaths';
import { useBasicCash } from './useBasicCash';
import { useLeave } from './useLeave';

export default function ItemRoute({ memberSid }: { memberSid: number }) {
  const { itemSid: text = '' } = useParams();
  const navigate = useNavigate();
  const leave = useLeave(moneyPaths.items);
  const { data: member } = useQuery(memberQuery(memberSid));
  const itemSid = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  return (
    <ItemPage
      key={text}
      memberSid={memberSid}
      member={member ?? null}
      itemSid={itemSid}
      availableWon={useBasicCash(memberSid)}
      totalWon={useQuery(assetsQuery(memberSid)).data?.total ?? null}
      onSeePurchases={() => void navigate(moneyPaths.purchases, { replace: true })}
      onClose={leave}
    />
  );
}
