import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { joinCopy } from '@/features/product/join/copy';
import { JoinProduct } from '@/features/product/join/JoinProduct';
import { joinTermsOf } from '@/features/product/join/joinTerms';
import { productQuery } from '@/features/product/productQueries';
import { contractHref, moneyPaths } from '@/shared/moneyPaths';
import { paths, productHref } from '@/shared/paths';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { useBasicCash } from './useBasicCash';

/** Joins a product at the terms in the address; without valid terms they are chosen on the product's screen. */
export default function JoinProductRoute({ memberSid }: { memberSid: number }) {
  const { sid: text = '' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const availableWon = useBasicCash(memberSid);
  const sid = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  const product = useQuery({ ...productQuery(sid ?? 0), enabled: sid !== null });
  if (sid === null) return <Navigate to={paths.productList} replace />;
  if (!product.data) {
    const isLoading = product.isPending && product.fetchStatus !== 'paused';
    return (
      <>
        <TopBar title={joinCopy.screen} backTo={productHref(sid)} />
        <main id="main">{isLoading ? <RowsSkeleton rows={5} /> : <ErrorState error={product.error} onRetry={() => void product.refetch()} />}</main>
      </>
    );
  }
  const agreement = joinTermsOf(product.data, search);
  if (agreement === null) return <Navigate to={productHref(sid)} replace />;
  return (
    <JoinProduct
      memberSid={memberSid}
      detail={product.data}
      option={agreement.option}
      terms={agreement.terms}
      availableWon={availableWon}
      onSeeContract={(acno) => void navigate(contractHref(acno), { replace: true })}
      onClose={() => void navigate(moneyPaths.contracts, { replace: true })}
    />
  );
}
