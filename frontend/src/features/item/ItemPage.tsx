import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { BoughtItem, BuyItemBody, Member, ShopItem } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyDone, type MoneyDoneProps } from '@/shared/money/MoneyDone';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { moneyPaths } from '@/shared/moneyPaths';
import { Amount } from '@/shared/ui/Amount';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Bone } from '@/shared/ui/Skeleton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { MissingState } from '@/shared/ui/MissingState';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { itemCopy, wearCopy } from './copy';
import { buyItem, cashQuery, shopQuery, type Slot } from './itemApi';
import { ItemPicture } from './ItemPicture';
import styles from './Items.module.css';
import { blockedBy, priceText, type Purse } from './offer';
import { TryOn } from './TryOn';
import { useWear, Wear, wearProblem } from './Wear';

interface ItemPageProps {
  memberSid: number;
  /** Null while unknown. */
  member: Member | null;
  /** Null when the address has no valid id. */
  itemSid: number | null;
  /** Cash of the basic account; null while unknown. */
  availableWon: number | null;
  /** The member's total, which the sample of a theme shows; null while unknown. */
  totalWon: number | null;
  onSeePurchases: () => void;
  onClose: () => void;
}

/** One item: what it does, how it looks on the member, and buying it. */
export function ItemPage({ memberSid, member, itemSid, availableWon, totalWon, onSeePurchases, onClose }: ItemPageProps) {
  const shop = useQuery(shopQuery(memberSid));
  const cash = useQuery(cashQuery(memberSid)).data?.cash ?? null;
  const [bought, setBought] = useState<BoughtItem | null>(null);
  const item = shop.data?.catalogue.find((known) => known.itemSid === itemSid);
  if (bought && item) return <Bought memberSid={memberSid} item={item} bought={bought} onClose={onClose} onSeePurchases={onSeePurchases} />;
  if (!item || !shop.data) {
    const isLoading = shop.isPending && shop.fetchStatus !== 'paused';
    return (
      <>
        <TopBar title={itemCopy.one} backTo={moneyPaths.items} />
        <main id="main">
          {isLoading && <PageSkeleton />}
          {!isLoading && !shop.data && <ErrorState error={shop.error} onRetry={() => void shop.refetch()} />}
          {shop.data && <Unknown />}
        </main>
      </>
    );
  }
  const owned = shop.data.owned.find((known) => known.itemSid === itemSid)?.quantity ?? 0;
  return (
    <>
      <TopBar title={itemCopy.one} backTo={moneyPaths.items} />
      <main id="main">
        <section className={styles.hero} aria-label={item.name}>
          <div className={styles.picture}>
            <ItemPicture image={item.image} size="100%" />
          </div>
          <p className={styles.title}>{item.name}</p>
          <p className={styles.bigPrice}>{priceText(item.price, item.currency)}</p>
          <p className={styles.effect}>{item.effect}</p>
        </section>
        {isWearable(item) && <TryOn item={item} member={member} totalWon={totalWon} />}
        <section className={styles.section}>
          <Facts facts={factsOf(item, owned)} />
        </section>
        {owned > 0 && isWearable(item) && member ? (
          <Wear item={item} member={member} />
        ) : (
          <Purchase memberSid={memberSid} item={item} owned={owned} purse={{ won: availableWon, cash }} onBought={setBought} />
        )}
      </main>
    </>
  );
}

interface PurchaseProps {
  memberSid: number;
  item: ShopItem;
  owned: number;
  purse: Purse;
  onBought: (bought: BoughtItem) => void;
}

const HELPER_ID = 'purchase-helper';

function Purchase({ memberSid, item, owned, purse, onBought }: PurchaseProps) {
  const [isAsking, setAsking] = useState(false);
  const isOnline = useIsOnline();
  const attempt = useMoneyAttempt<Omit<BuyItemBody, 'reqSid'>, BoughtItem>({
    memberSid,
    purpose: `item ${item.itemSid}`,
    send: buyItem,
    doneText: () => itemCopy.done(item.name),
    onOutcome: (outcome) => {
      if (outcome.kind === 'done') onBought(outcome.reply);
    },
  });
  const { isInterrupted } = attempt;
  if (isInterrupted && isAsking) setAsking(false);
  const blocked = isOnline ? blockedBy(item, owned, purse) : state.offlineBlocked;
  const funds = item.currency === 'CASH' ? purse.cash : purse.won;
  const rest: Fact[] =
    funds === null
      ? []
      : [[item.currency === 'CASH' ? itemCopy.afterCash : itemCopy.afterWon, <Amount>{priceText(funds - item.price, item.currency)}</Amount>]];
  return (
    <>
      <BottomCTA helper={blocked} helperId={HELPER_ID}>
        <Button size="large" block disabled={blocked !== null} describedBy={HELPER_ID} onClick={() => setAsking(true)}>
          {itemCopy.buy}
        </Button>
      </BottomCTA>
      <ConfirmMoney
        open={isAsking}
        title={itemCopy.question(item.name)}
        note={item.effect}
        facts={[[itemCopy.spend, priceText(item.price, item.currency)], ...rest]}
        word={itemCopy.buy}
        isSending={attempt.isSending}
        isBlocked={blocked !== null}
        onConfirm={() => attempt.submit({ memberSid, itemSid: item.itemSid, quantity: 1 })}
        onClose={() => setAsking(false)}
      />
      <MoneyFailure attempt={attempt} title={itemCopy.failed} />
    </>
  );
}

interface BoughtProps {
  memberSid: number;
  item: ShopItem;
  bought: BoughtItem;
  onClose: () => void;
  onSeePurchases: () => void;
}

function Bought({ memberSid, item, bought, onClose, onSeePurchases }: BoughtProps) {
  const more = { label: itemCopy.seePurchases, onClick: onSeePurchases };
  if (!isWearable(item)) return <BoughtItemDone item={item} bought={bought} more={more} onClose={onClose} />;
  return <BoughtWearable memberSid={memberSid} item={item} bought={bought} onClose={onClose} />;
}

/** What can be worn is worn at once from here. */
function BoughtWearable({ memberSid, item, bought, onClose }: Omit<BoughtProps, 'onSeePurchases'> & { item: ShopItem & { slot: Slot } }) {
  const { change, isPending } = useWear(item, memberSid, onClose);
  const more = {
    label: wearCopy.now,
    isBusy: isPending,
    onClick: () => change(item.image, { onError: (error) => showSnackbar(wearProblem(error)) }),
  };
  return <BoughtItemDone item={item} bought={bought} more={more} onClose={onClose} />;
}

type BoughtItemDoneProps = Pick<BoughtProps, 'item' | 'bought' | 'onClose'> & Pick<MoneyDoneProps, 'more'>;

function BoughtItemDone({ item, bought, more, onClose }: BoughtItemDoneProps) {
  const { doneFacts } = itemCopy;
  return (
    <MoneyDone
      title={itemCopy.done(item.name)}
      figure={<ItemPicture image={item.image} size={96} />}
      facts={[
        [doneFacts.spent, priceText(bought.spent, bought.currency)],
        [doneFacts.owned, itemCopy.count(unitless(bought.owned))],
        [doneFacts.deposit, <Amount>{won(bought.deposit)}</Amount>],
        [doneFacts.cash, itemCopy.cashCount(unitless(bought.cash))],
      ]}
      more={more}
      onClose={onClose}
    />
  );
}

function factsOf(item: ShopItem, owned: number): Fact[] {
  const { facts } = itemCopy;
  const until = parseServerTime(item.saleTo);
  const list: [label: string, value: ReactNode][] = [[facts.kind, item.slot ? itemCopy.slots[item.slot] : itemCopy.kinds[item.category]]];
  if (typeof item.left === 'number' && typeof item.stock === 'number') list.push([facts.left, itemCopy.ofStock(unitless(item.left), unitless(item.stock))]);
  if (until) list.push([facts.until, itemCopy.until(kstDate(until))]);
  if (typeof item.limitPerMember === 'number') list.push([facts.limit, itemCopy.count(unitless(item.limitPerMember))]);
  list.push([facts.owned, itemCopy.count(unitless(owned))]);
  return list;
}

function isWearable(item: ShopItem): item is ShopItem & { slot: Slot } {
  return typeof item.slot === 'string';
}

function Unknown() {
  return <MissingState title={itemCopy.unknown} to={moneyPaths.items} label={itemCopy.screen} />;
}

function PageSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.hero}>
        <Bone width={160} height={160} radius={40} />
        <Bone width={180} height={28} />
        <Bone width={120} height={32} />
      </div>
    </div>
  );
}
