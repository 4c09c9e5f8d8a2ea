import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import type { Product, ProductDetail } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { interestTypeName } from '@/shared/format/codes';
import { isMissing } from '@/shared/format/number';
import { pct } from '@/shared/format/pct';
import { paths } from '@/shared/paths';
import { Avatar } from '@/shared/ui/Avatar';
import { Chip } from '@/shared/ui/Chip';
import { Facts } from '@/shared/ui/Facts';
import { ShareButton } from '@/shared/ui/ShareButton';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { useScrolledPast } from '@/shared/ui/useScrolledPast';
import { MissingState } from '@/shared/ui/MissingState';
import { Calculator } from './Calculator';
import { productDetail, productList } from './copy';
import styles from './ProductDetailPage.module.css';
import { type InterestRequest, productQuery } from './productQueries';
import { distinct, optionsOf } from './terms';

interface ProductDetailPageProps {
  /** Null when the address has no valid id. */
  sid: number | null;
  heartOf: (product: Product) => ReactNode;
  /** The buttons at the bottom; the terms are null while the amount is invalid. */
  actionOf: (terms: InterestRequest | null) => ReactNode;
  /** The member's cash, which limits the initial amount; null while unknown. */
  availableWon: number | null;
}

/** The detail screen of a product with its calculator. */
export function ProductDetailPage({ sid, heartOf, actionOf, availableWon }: ProductDetailPageProps) {
  const [terms, setTerms] = useState<InterestRequest | null>(null);
  const [isKeypadOpen, setKeypadOpen] = useState(false);
  const { ref: hero, isPast } = useScrolledPast();
  const { data, error, refetch } = useQuery({ ...productQuery(sid ?? 0), enabled: sid !== null });
  if (!data) {
    const isUnknown = sid === null || isProblem(error, 'PRODUCT_NOT_FOUND');
    return (
      <>
        <TopBar title={productDetail.title} backTo={paths.productList} titleShown={false} />
        <main id="main">
          {isUnknown && <Unknown />}
          {!isUnknown && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <DetailSkeleton />)}
        </main>
      </>
    );
  }
  const { product } = data;
  return (
    <>
      <TopBar
        title={product.prdtNm}
        backTo={paths.productList}
        titleShown={isPast}
        actions={
          <>
            {heartOf(product)}
            <ShareButton name={product.prdtNm} />
          </>
        }
      />
      <main id="main">
        <div ref={hero}>
          <Hero product={product} />
        </div>
        <Calculator detail={data} availableWon={availableWon} onTerms={setTerms} isKeypadOpen={isKeypadOpen} onKeypad={setKeypadOpen} />
        <Conditions product={product} />
        <ProductFacts detail={data} />
        {!isKeypadOpen && actionOf(terms)}
      </main>
    </>
  );
}

function Hero({ product }: { product: Product }) {
  const { bankNm, prdtNm, prdtTcd, intrRate, intrRate2, intrRateType, rsrvType } = product;
  return (
    <section className={styles.hero} aria-label={prdtNm}>
      <div className={styles.bank}>
        <Avatar name={bankNm} size={32} />
        <span>{bankNm}</span>
      </div>
      <p className={styles.name}>{prdtNm}</p>
      <p className={styles.rate}>
        <span className={styles.rateLabel}>{productDetail.best}</span> {productList.yearly(pct(intrRate2))}
      </p>
      <p className={styles.base}>
        {productDetail.baseRate(pct(intrRate))} · {productList.months(product.saveTrm)}
      </p>
      <p className={styles.chips}>
        <Chip>{productList.kind[prdtTcd]}</Chip>
        <Chip>{interestTypeName(intrRateType)}</Chip>
        {rsrvType && <Chip>{productList.reserve[rsrvType]}</Chip>}
      </p>
    </section>
  );
}

function Conditions({ product }: { product: Product }) {
  const { joinConditions, intrRate, intrRate2 } = product;
  const hasBestRate = !isMissing(intrRate2) && intrRate2 !== intrRate;
  const text = joinConditions.trim() === '' && hasBestRate ? productDetail.noConditions : joinConditions;
  if (text.trim() === '') return null;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{productDetail.conditions}</h2>
      <p className={styles.text}>{text}</p>
    </section>
  );
}

function ProductFacts({ detail }: { detail: ProductDetail }) {
  const { product, depositInsuranceLimit } = detail;
  const { rateMonth, prdtTcd } = product;
  const terms = distinct(optionsOf(detail).map(({ saveTrm }) => saveTrm));
  const facts: [label: string, value: string][] = [
    [productDetail.bank, product.bankNm],
    [productDetail.kind, productList.kind[prdtTcd]],
    [prdtTcd === '04' ? productDetail.monthlyLimits : productDetail.limits, limits(product)],
    [productDetail.terms, terms.map(productList.months).join(', ')],
  ];
  if (/^\d{6}$/.test(rateMonth)) facts.push([productDetail.disclosed, productDetail.month(rateMonth.slice(0, 4), String(Number(rateMonth.slice(4))))]);
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{productDetail.facts}</h2>
      <Facts facts={facts} />
      <p className={styles.note}>{productDetail.insurance(bigWon(depositInsuranceLimit))}</p>
    </section>
  );
}

function limits({ minAmt, maxAmt }: Product): string {
  if (isMissing(minAmt)) return isMissing(maxAmt) ? productDetail.noLimits : productDetail.upTo(bigWon(maxAmt));
  return isMissing(maxAmt) ? productDetail.from(bigWon(minAmt)) : productDetail.between(bigWon(minAmt), bigWon(maxAmt));
}

function Unknown() {
  return <MissingState title={productDetail.unknown} to={paths.productList} />;
}

function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width={140} height={32} radius={16} />
        <Bone width={220} height={28} />
        <Bone width={160} height={38} />
        <Bone width={120} height={20} />
        <span className={styles.gap} />
        <Bone width="60%" height={28} />
        <Bone width="100%" height={44} />
        <Bone width="100%" height={52} />
        <Bone width="100%" height={180} radius={16} />
      </div>
    </div>
  );
}
