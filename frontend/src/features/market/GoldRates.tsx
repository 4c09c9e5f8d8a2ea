import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { toHundredths } from '@/shared/format/number';
import { pct, shownPct, signedPct, unsignedPct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { Bone } from '@/shared/ui/Skeleton';
import { SectionError } from '@/shared/ui/Section';
import { ToneText } from '@/shared/ui/ToneText';
import { gold } from './copy';
import styles from './Gold.module.css';
import { browseQuery, commodityPriceQuery, exchangeRatesQuery } from './marketQueries';

const DOLLAR = 'USD';
const FIGURE_PX = 24;

/** The exchange rate and the gold premium. Its height is the same from the start. */
export function GoldRates() {
  const { data, error, refetch } = useQuery(exchangeRatesQuery());
  const dollar = data?.rates.find(({ curUnit }) => curUnit === DOLLAR);
  if (error && !data) return <SectionError onRetry={() => void refetch()} />;
  // Without a dollar rate there is nothing to say.
  if (data && !dollar) return null;
  const at = dollar && parseServerTime(dollar.asOf);
  return (
    <section className={styles.card} aria-label={gold.rates} aria-busy={!dollar}>
      <dl className={styles.rates}>
        <div className={styles.rate}>
          <dt>{gold.wonPerDollar}</dt>
          <dd>
            {dollar ? (
              <>
                <span className={styles.figure}>{won(toHundredths(dollar.rate))}</span>
                <ToneText value={shownPct(dollar.flucRt)}>{unsignedPct(dollar.flucRt)}</ToneText>
              </>
            ) : (
              <Bone width={120} height={FIGURE_PX} />
            )}
          </dd>
        </div>
        <PremiumRate />
      </dl>
      <p className={styles.asOf}>{at && gold.asOf(kstTime(at))}</p>
    </section>
  );
}

/** The premium of the first tradable gold; nothing when unknown. */
function PremiumRate() {
  const { data: list, isPending: isListPending } = useInfiniteQuery(browseQuery('gold', 'GOLD', 'value'));
  const code = list?.pages[0]?.items.find(({ tradable }) => tradable)?.isuSrtCd;
  const { data, isPending } = useQuery({ ...commodityPriceQuery(code ?? ''), enabled: code !== undefined });
  const rate = data?.premium?.rate;
  // Nothing is requested before the code is known, which counts as pending too.
  if (rate === undefined && !(isPending && (isListPending || code))) return null;
  return (
    <div className={styles.rate}>
      <dt>{gold.premium}</dt>
      <dd className={styles.premium}>
        {rate === undefined ? (
          <Bone width={120} height={FIGURE_PX} />
        ) : (
          <>
            <span className={styles.figure}>{signedPct(rate)}</span>
            <span className={styles.sentence}>{premiumSentence(rate)}</span>
          </>
        )}
      </dd>
    </div>
  );
}

function premiumSentence(rate: number): string {
  const shown = shownPct(rate);
  if (!shown) return gold.same;
  return shown > 0 ? gold.dearer(pct(shown)) : gold.cheaper(pct(-shown));
}
