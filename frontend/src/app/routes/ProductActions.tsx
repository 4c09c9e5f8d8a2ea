import { useQuery } from '@tanstack/react-query';
import { contractsQuery } from '@/features/contract/contractApi';
import { isOpenContract } from '@/features/contract/contractStatus';
import { memberQuery } from '@/shared/api/memberQuery';
import { joinCopy } from '@/features/product/join/copy';
import { joinHref } from '@/features/product/join/joinTerms';
import type { InterestRequest } from '@/features/product/productQueries';
import { useMemberSid } from '@/shared/api/session';
import { contractHref, moneyPaths } from '@/shared/moneyPaths';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button, ButtonLink } from '@/shared/ui/Button';

interface ProductActionsProps {
  productSid: number;
  /** Chosen in the calculator; null while the amount is invalid. */
  terms: InterestRequest | null;
}

/** Joins a product, and closes the member's contract with it. A visitor signs in first. */
export function ProductActions({ productSid, terms }: ProductActionsProps) {
  const memberSid = useMemberSid();
  const isMember = memberSid !== null;
  const { data: contracts } = useQuery({ ...contractsQuery(memberSid ?? 0), enabled: isMember });
  const { data: member } = useQuery({ ...memberQuery(memberSid ?? 0), enabled: isMember });
  if (member?.competitionMode === true) return null;
  const joined = contracts?.filter((contract) => contract.productSid === productSid && isOpenContract(contract)) ?? [];
  const [first, second] = joined;
  return (
    <BottomCTA>
      {first && (
        // Of several contracts the member chooses which.
        <ButtonLink to={second ? moneyPaths.contracts : `${contractHref(first.acno)}?close`} tone="neutral" size="large" block>
          {joinCopy.close}
        </ButtonLink>
      )}
      {terms === null ? (
        <Button size="large" block disabled>
          {joinCopy.open}
        </Button>
      ) : (
        <ButtonLink to={joinHref(productSid, terms)} size="large" block>
          {joinCopy.open}
        </ButtonLink>
      )}
    </BottomCTA>
  );
}
