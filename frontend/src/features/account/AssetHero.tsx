import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Assets } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { level as levelOf, type WealthLevel } from '@/shared/format/level';
import { changePct, shownPct, signedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { paths } from '@/shared/paths';
import { usePreference } from '@/shared/platform/preferences';
import { Facts } from '@/shared/ui/Facts';
import { ChevronIcon } from '@/shared/ui/icons';
import { LevelBadge } from '@/shared/ui/LevelBadge';
import { LevelGauge } from '@/shared/ui/LevelGauge';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { announce } from '@/shared/ui/screenAnnouncer';
import { SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { ToneText } from '@/shared/ui/ToneText';
import { assetsQuery } from './accountQueries';
import { Amount } from '@/shared/ui/Amount';
import styles from './AssetHero.module.css';
import { assetsCopy } from './copy';
import { HideToggle } from './HideToggle';
import { useHoldings } from './useHoldings';
import { useLiveTotal } from './useLiveHoldings';

interface AssetHeroProps {
  memberSid: number;
  /** The home screen: the figures that matter at a glance, said once on arrival. Otherwise everything there is to know. */
  isBrief?: boolean;
}

/** The member's money first: everything they have, how it does against what they were given, and their level. */
export function AssetHero({ memberSid, isBrief = false }: AssetHeroProps) {
  const assets = useQuery(assetsQuery(memberSid));
  if (assets.isPending) return <HeroSkeleton isBrief={isBrief} />;
  if (!assets.data) {
    const retry = () => void assets.refetch();
    return isBrief ? <SectionError onRetry={retry} /> : <ErrorState error={assets.error} onRetry={retry} />;
  }
  return <Hero memberSid={memberSid} assets={assets.data} isBrief={isBrief} />;
}

function Hero({ memberSid, assets, isBrief }: { memberSid: number; assets: Assets; isBrief: boolean }) {
  const total = useTotal(memberSid, assets);
  const percent = assets.base > 0 ? changePct(total, assets.base) : null;
  const available = assets.accounts.reduce((sum, account) => sum + account.available, 0);
  useSpokenOnce(isBrief ? assets.total : null);
  return (
    <>
      <section className={styles.hero} aria-label={assetsCopy.total}>
        <div className={styles.head}>
          <Link to={paths.account} className={styles.label}>
            {assetsCopy.total}
            <ChevronIcon size={16} />
          </Link>
          <HideToggle />
        </div>
        <TotalFigure total={total} />
        <p className={styles.base}>
          <ToneText value={shownPct(percent)} chip>
            {assetsCopy.fromBase(signedPct(percent))}
          </ToneText>
        </p>
        {!isBrief && (
          <Facts facts={[[assetsCopy.cash, <Amount>{won(available)}</Amount>]]} />
        )}
      </section>
      <LevelCard level={levelOf(total)} hasMultiplier={!isBrief} />
    </>
  );
}

function LevelCard({ level, hasMultiplier }: { level: WealthLevel; hasMultiplier: boolean }) {
  return (
    <section className={styles.level} aria-label={level.name}>
      <div className={styles.levelLine}>
        <LevelBadge level={level} />
        <span className={styles.toNext}>
          {level.toNextWon === null ? assetsCopy.top : <Amount>{assetsCopy.toNext(bigWon(level.toNextWon))}</Amount>}
        </span>
      </div>
      <LevelGauge level={level} />
      {hasMultiplier && <p className={styles.multiplier}>{assetsCopy.multiplier(level.multiplier.toFixed(1))}</p>}
    </section>
  );
}

/** Everything the member has, following the market at most once a second. */
function useTotal(memberSid: number, assets: Assets): number {
  const { holdings, hasAll } = useHoldings(memberSid);
  const live = useLiveTotal(holdings);
  // Until the holdings are here the server's own total stands; then cash stays and only what is owned moves.
  if (!hasAll || live.valueWon === null) return assets.total;
  return assets.accounts.reduce((sum, { deposit }) => sum + deposit, live.valueWon);
}

/** Says the total once, when it has arrived: a figure that follows the market would never stop talking. */
function useSpokenOnce(total: number | null): void {
  const isHidden = usePreference('hideAmounts');
  const [text] = useState(() => (total === null || isHidden ? null : `${assetsCopy.total} ${won(total)}`));
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);
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

function HeroSkeleton({ isBrief }: { isBrief: boolean }) {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.hero}>
        <div className={styles.head}>
          <Bone width={80} height={20} />
        </div>
        <Bone width="70%" height={38} />
        <div className={styles.base}>
          <Bone width="45%" height={28} />
        </div>
        {!isBrief && (
          <div className={styles.cash}>
            <Bone width="100%" height={22} />
          </div>
        )}
      </div>
      <div aria-hidden="true" className={`${styles.level} ${isBrief ? styles.briefBones : styles.fullBones}`} />
    </div>
  );
}
