import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Assets } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { level as levelOf } from '@/shared/format/level';
import { signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { setPreference, usePreference } from '@/shared/platform/preferences';
import { EyeIcon, EyeOffIcon } from '@/shared/ui/icons';
import { LevelBadge } from '@/shared/ui/LevelBadge';
import { LevelGauge } from '@/shared/ui/LevelGauge';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { ToneText } from '@/shared/ui/ToneText';
import { assetsQuery, holdingsQuery } from './accountQueries';
import { Amount } from './Amount';
import styles from './AssetHero.module.css';
import { assetsCopy } from './copy';
import { useLiveTotal } from './useLiveHoldings';

/** The member's money first: everything they have, how it does against what they were given, and their level. */
export function AssetHero({ memberSid }: { memberSid: number }) {
  const assets = useQuery(assetsQuery(memberSid));
  if (assets.isPending) return <HeroSkeleton />;
  if (!assets.data) return <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />;
  return <Hero memberSid={memberSid} assets={assets.data} />;
}

function Hero({ memberSid, assets }: { memberSid: number; assets: Assets }) {
  const [stocks, coins] = useQueries({ queries: [holdingsQuery(memberSid, 'stock'), holdingsQuery(memberSid, 'coin')] });
  const holdings = useMemo(() => [...(stocks.data ?? []), ...(coins.data ?? [])], [stocks.data, coins.data]);
  const live = useLiveTotal(holdings);
  // Until the holdings are here the server's own total stands; then cash stays and only what is owned moves.
  const cash = assets.accounts.reduce((sum, { deposit }) => sum + deposit, 0);
  const isLive = stocks.isSuccess && coins.isSuccess && live.valueWon !== null;
  const total = isLive ? cash + (live.valueWon ?? 0) : assets.total;
  const percent = assets.base > 0 ? (total / assets.base - 1) * 100 : null;
  const available = assets.accounts.reduce((sum, account) => sum + account.available, 0);
  const level = levelOf(total);

  return (
    <>
      <section className={styles.hero} aria-label={assetsCopy.total}>
        <div className={styles.head}>
          <p className={styles.label}>{assetsCopy.total}</p>
          <HideToggle />
        </div>
        <TotalFigure total={total} />
        <p className={styles.base}>
          <ToneText value={percent}>{assetsCopy.fromBase(signedPct(percent))}</ToneText>
        </p>
        <dl className={styles.cash}>
          <dt>{assetsCopy.cash}</dt>
          <dd>
            <Amount>{won(available)}</Amount>
          </dd>
        </dl>
      </section>
      <section className={styles.level} aria-label={level.name}>
        <div className={styles.levelLine}>
          <LevelBadge level={level} />
          <span className={styles.toNext}>
            {level.toNextWon === null ? assetsCopy.top : assetsCopy.toNext(bigWon(level.toNextWon))}
          </span>
        </div>
        <LevelGauge level={level} />
        <p className={styles.multiplier}>{assetsCopy.multiplier(level.multiplier.toFixed(1))}</p>
      </section>
    </>
  );
}

function TotalFigure({ total }: { total: number }) {
  const isHidden = usePreference('hideAmounts');
  const hasArrived = useHasPassed(ROLL_MS);
  // It rolls on arrival only: a figure that follows the market would never come to rest.
  if (hasArrived) {
    return (
      <p className={styles.total}>
        <Amount>{won(total)}</Amount>
      </p>
    );
  }
  return <p className={styles.total}>{isHidden ? <Amount>{won(total)}</Amount> : <RollingNumber>{won(total)}</RollingNumber>}</p>;
}

const ROLL_MS = 1_500;

function useHasPassed(timeMs: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), timeMs);
    return () => clearTimeout(timer);
  }, [timeMs]);
  return hasPassed;
}

function HideToggle() {
  const isHidden = usePreference('hideAmounts');
  return (
    <button
      type="button"
      className={styles.eye}
      aria-label={isHidden ? assetsCopy.show : assetsCopy.hide}
      onClick={() => setPreference({ hideAmounts: !isHidden })}
    >
      {isHidden ? <EyeOffIcon size={20} /> : <EyeIcon size={20} />}
    </button>
  );
}

function HeroSkeleton() {
  return (
    <div className={styles.hero} aria-busy="true">
      <span aria-hidden="true" className={styles.bones}>
        <Bone width={80} height={20} />
        <Bone width="70%" height={38} />
        <Bone width="45%" height={22} />
      </span>
    </div>
  );
}
