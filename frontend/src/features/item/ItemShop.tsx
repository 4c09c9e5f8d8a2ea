import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Member, ShopItem } from '@/shared/api/types';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { itemHref } from '@/shared/moneyPaths';
import { Amount } from '@/shared/ui/Amount';
import { Button } from '@/shared/ui/Button';
import { Section } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { itemCopy, wearCopy } from './copy';
import { ExchangeCash } from './ExchangeCash';
import { cashQuery, shopQuery, wornIn } from './itemApi';
import { ItemPicture } from './ItemPicture';
import styles from './Items.module.css';
import { markOf, priceText, SECTIONS, sectionOf } from './offer';

interface ItemShopProps {
  memberSid: number;
  /** Null while unknown. */
  member: Member | null;
  availableWon: number | null;
}

/** The shop: what the member can spend, and the catalogue by section. */
export function ItemShop({ member, memberSid, availableWon }: ItemShopProps) {
  const shop = useQuery(shopQuery(memberSid));
  if (shop.isPending && shop.fetchStatus !== 'paused') return <ShopSkeleton />;
  if (!shop.data) return <ErrorState error={shop.error} onRetry={() => void shop.refetch()} />;
  const { catalogue, owned } = shop.data;
  const ownedOf = (item: ShopItem) => owned.find(({ itemSid }) => itemSid === item.itemSid)?.quantity ?? 0;
  return (
    <>
      <Funds memberSid={memberSid} availableWon={availableWon} />
      {catalogue.length === 0 && <EmptyState title={itemCopy.empty} />}
      {SECTIONS.map((section) => {
        const items = catalogue.filter((item) => sectionOf(item) === section);
        if (items.length === 0) return null;
        return (
          <Section key={section} title={itemCopy.sections[section]}>
            <ul className={styles.grid}>
              {items.map((item) => (
                <li key={item.itemSid}>
                  <ItemCard item={item} owned={ownedOf(item)} isWorn={typeof item.slot === 'string' && wornIn(member, item.slot) === item.image} />
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

function ItemCard({ item, owned, isWorn }: { item: ShopItem; owned: number; isWorn: boolean }) {
  const mark = isWorn ? wearCopy.mark : markOf(item, owned);
  return (
    <article className={styles.card}>
      <ItemPicture image={item.image} size="100%" />
      <h3 className={styles.name}>
        <Link to={itemHref(item.itemSid)} className={styles.link}>
          {item.name}
        </Link>
      </h3>
      <p className={styles.price}>{priceText(item.price, item.currency)}</p>
      {mark && <p className={owned > 0 ? styles.owned : styles.mark}>{mark}</p>}
    </article>
  );
}

function Funds({ memberSid, availableWon }: { memberSid: number; availableWon: number | null }) {
  const { data } = useQuery(cashQuery(memberSid));
  const [isExchanging, setExchanging] = useState(false);
  return (
    <>
      <section className={styles.funds}>
        <div className={styles.fund}>
          <p className={styles.label}>{itemCopy.available}</p>
          <p className={styles.sum}>
            <Amount>{won(availableWon)}</Amount>
          </p>
        </div>
        <div className={styles.fund}>
          <p className={styles.label}>{itemCopy.cash}</p>
          <p className={styles.sum}>{data ? itemCopy.cashCount(unitless(data.cash)) : '-'}</p>
          <p className={styles.rate}>{itemCopy.cashRate}</p>
        </div>
        <Button tone="neutral" onClick={() => setExchanging(true)}>
          {itemCopy.exchange}
        </Button>
        <p className={styles.source}>{itemCopy.cashSource}</p>
      </section>
      <ExchangeCash memberSid={memberSid} cash={data?.cash ?? null} open={isExchanging} onClose={() => setExchanging(false)} />
    </>
  );
}

function ShopSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        <div className={styles.funds}>
          <Bone width="100%" height={56} radius={16} />
        </div>
        <div className={styles.grid}>
          {[1, 2, 3, 4].map((card) => (
            <div key={card} className={styles.card}>
              <Bone width="100%" height={140} radius={16} />
              <Bone width="70%" height={20} />
              <Bone width="50%" height={18} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
