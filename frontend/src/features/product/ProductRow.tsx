import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Product } from '@/shared/api/types';
import { pct } from '@/shared/format/pct';
import { productHref } from '@/shared/paths';
import { Avatar } from '@/shared/ui/Avatar';
import { productList } from './copy';
import styles from './ProductRow.module.css';

interface ProductRowProps {
  product: Product;
  /** A control next to the link, such as a heart. */
  control?: ReactNode;
  /** The name with a highlighted part, as in search results. */
  name?: ReactNode;
}

/** The content of a `ListRow` for a product: bank, name, term and the best rate. */
export function ProductRow({ product, control, name = product.prdtNm }: ProductRowProps) {
  const { bankNm, saveTrm, rsrvType, intrRate, intrRate2, sid } = product;
  const facts = [bankNm, productList.months(saveTrm), ...(rsrvType ? [productList.reserve[rsrvType]] : [])];
  return (
    <>
      <Avatar name={bankNm} />
      <div className={styles.facts}>
        <div className={styles.text}>
          <div className={styles.name}>
            <Link to={productHref(sid)} className={styles.link}>
              {name}
            </Link>
          </div>
          <div className={styles.meta}>{facts.join(' · ')}</div>
        </div>
        <div className={styles.rates}>
          <div className={styles.best}>{productList.yearly(pct(intrRate2))}</div>
          <div className={styles.base}>{productList.base(pct(intrRate))}</div>
        </div>
      </div>
      {control}
    </>
  );
}
