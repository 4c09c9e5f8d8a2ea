import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Assets } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { bigWon } from '@/shared/format/bigWon';
import { asOf } from '@/shared/format/kst';
import { level as levelOf, type WealthLevel } from '@/shared/format/level';
import { isMissing } from '@/shared/format/number';
import { changePct, gainPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { paths } from '@/shared/paths';
import { setPreference, usePreference } from '@/shared/platform/preferences';
import { Facts } from '@/shared/ui/Facts';
import { GainText } from '@/shared/ui/GainText';
import { EyeIcon, EyeOffIcon } from '@/shared/ui/eyeIcons';
import { ChevronIcon } from '@/shared/ui/icons';
import { LevelBadge } from '@/shared/ui/LevelBadge';
import { LevelGauge } from '@/shared/ui/LevelGauge';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { announce } from '@/shared/ui/screenAnnouncer';
import { SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { ToneText } from '@/shared/ui/ToneText';
import { Amount } from '@/shared/ui/Amount';
import { isContract } from './accountKinds';
import styles from './AssetHero.module.css';
import { assetsCopy } from './copy';
import { useHoldings } from './useHoldings';
import { type LiveHolding, useLiveHoldings } from './useLiveHoldings';
import { type Today, todayOf } from './today';

interface AssetHeroProps {
  memberSid: number;
  /** The home variant: the main figures, announced once on arrival. Otherwise all figures. */
  isBrief?: boolean;
  /** Finds the restored data of an earlier visit and its time. */
  knownBefore?: (key: QueryKey) => { data: unknown; atMs: number } | undefined;
}

/** The member's total, its return, and the wealth level. */
export function AssetHero({ memberSid, isBrief = false, knownBefore }: AssetHeroProps) {
  const assets = useQuery(assetsQuery(memberSid));
  const { isPending } = assets;
  // On a slow line the reply takes seconds, and the last known figures say more than a skeleton.
  const known = useMemo(() => (isPending ? knownBefore?.(queryKeys.assets(memberSid)) : undefined), [isPending, knownBefore, memberSid]);
  if (known) return <Hero memberSid={memberSid} assets={known.data as Assets} knownAt={known.atMs} isBrief={isBrief} />;
  if (isPending) return <HeroSkeleton isBrief={isBrief} />;
  if (!assets.data) {
    const retry = () => void assets.refetch();
    return isBrief ? <SectionError onRetry={retry} /> : <ErrorState error={assets.error} onRetry={retry} />;
  }
  return <Hero memberSid={memberSid} assets={assets.data} isBrief={isBrief} />;
}

interface HeroProps {
  memberSid: number;
  assets: Assets;
  isBrief: boolean;
  /** The time of restored figures; undefined once there are newer ones. */
  knownAt?: number;
}

function Hero({ memberSid, assets, isBrief, knownAt }: HeroProps) {
  const live = useTotal(memberSid, assets);
  const { total, today } = knownAt === undefined ? live : { total: assets.total, today: live.today && ('awaited' as const) };
  const percent = assets.base > 0 ? changePct(total, assets.base) : null;
  const cash = assets.accounts.reduce((sum, account) => sum + (isContract(account) ? 0 : account.deposit), 0);
  useAnnounceOnce(isBrief && knownAt === undefined ? assets.total : null);
  return (
    <>
      <section className={styles.hero} aria-label={assetsCopy.total}>
        <div className={styles.head}>
          <Link to={paths.account} className={styles.label}>
            {assetsCopy.total}
            <ChevronIcon size={16} />
          </Link>
          {knownAt !== undefined && <span className={styles.asOf}>{state.offlineSince(asOf(new Date(knownAt), new Date()))}</span>}
          <HideToggle />
        </div>
        <TotalFigure total={total} />
        {today !== null && (
          <p className={styles.today}>
            <span>{assetsCopy.today}</span>
            {today === 'awaited' ? <Bone width="45%" height={28} /> : <GainText won={today.changeWon} percent={today.changePercent} chip />}
          </p>
        )}
        <Facts
          facts={[
            [assetsCopy.fromBase, <ToneText value={percent}>{gainPct(percent)}</ToneText>],
            [assetsCopy.cash, <Amount>{won(cash)}</Amount>],
          ]}
        />
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

/** The member's total and today's change, updated at most once a second. */
function useTotal(memberSid: number, assets: Assets): { total: number; today: Today | 'awaited' | null } {
  const { holdings, hasAll, isPending } = useHoldings(memberSid);
  const { rows, total: owned } = useLiveHoldings(holdings);
  useNewDay(memberSid, rows);
  // Until the holdings are loaded the server's total is used; then cash stays and the holdings follow the market.
  if (!hasAll || owned.valueWon === null) return { total: assets.total, today: isPending && !isMissing(assets.dayTraded) ? 'awaited' : null };
  const total = assets.accounts.reduce((sum, { deposit }) => sum + deposit, owned.valueWon);
  return { total, today: todayOf(rows, total, assets) };
}

/** A price with another previous close begins a new day: yesterday's trades no longer count, so the server is asked again. */
function useNewDay(memberSid: number, rows: readonly LiveHolding[]): void {
  const queryClient = useQueryClient();
  const known = useRef(new Map<string, number>());
  useEffect(() => {
    let isNew = false;
    for (const { holding, tick } of rows) {
      if (!tick) continue;
      const before = known.current.get(holding.isuSrtCd);
      isNew ||= before !== undefined && before !== tick.previousClose;
      known.current.set(holding.isuSrtCd, tick.previousClose);
    }
    if (isNew) void queryClient.invalidateQueries({ queryKey: queryKeys.assets(memberSid) });
  }, [rows, memberSid, queryClient]);
}

/** Announces the total once on arrival: announcing a live figure would never end. */
function useAnnounceOnce(total: number | null): void {
  const isHidden = usePreference('hideAmounts');
  const hasArrived = useRef(false);
  useEffect(() => {
    if (total === null || hasArrived.current) return;
    hasArrived.current = true;
    if (!isHidden) announce(`${assetsCopy.total} ${won(total)}`);
  }, [total, isHidden]);
}

function TotalFigure({ total }: { total: number }) {
  const isHidden = usePreference('hideAmounts');
  const hasArrived = useHasPassed(ROLL_MS);
  // Rolls on arrival only: a live figure would never come to rest.
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
        <div className={styles.today}>
          <Bone width="55%" height={28} />
        </div>
        <div className={styles.factBones}>
          <Bone width="100%" height={54} />
        </div>
      </div>
      <div aria-hidden="true" className={`${styles.level} ${isBrief ? styles.briefBones : styles.fullBones}`} />
    </div>
  );
}

/** Hides or shows all amounts. Stored on this device. */
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
