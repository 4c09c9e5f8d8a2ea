import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ProductTrend, RateAverage } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { pct, shownPct } from '@/shared/format/pct';
import { Section } from '@/shared/ui/Section';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import styles from './Trend.module.css';
import { TrendSkeleton } from './TrendSkeleton';
import { productTrendQuery } from './trendQueries';

const KINDS = ['03', '04'] as const;

/** Interest rates of deposits and savings by term. */
export function ProductTrendPanel({ hrefOf }: { hrefOf: (sid: number) => string }) {
  const { data, error, refetch } = useQuery(productTrendQuery());
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TrendSkeleton />;
  if (data.averages.length === 0 && data.movers.length === 0) return <EmptyState title={trendCopy.empty} />;
  const at = parseServerTime(data.asOf);
  return (
    <>
      {at && (
        <p className={`${styles.asOf} ${styles.asOfLine}`}>
          <time dateTime={at.toISOString()}>{trendCopy.asOf(kstTime(at))}</time>
        </p>
      )}
      {KINDS.map((kind) => (
        <RateTable key={kind} kind={kind} rows={data.averages.filter(({ prdtTcd }) => prdtTcd === kind)} />
      ))}
      <Movers movers={data.movers} hrefOf={hrefOf} />
    </>
  );
}

function RateTable({ kind, rows }: { kind: (typeof KINDS)[number]; rows: readonly RateAverage[] }) {
  if (rows.length === 0) return null;
  const { term, average, best, count } = trendCopy.columns;
  return (
    <Section title={trendCopy.rates[kind]}>
      <table className={styles.table}>
        <caption className="sr-only">{trendCopy.ratesCaption(trendCopy.rates[kind])}</caption>
        <thead>
          <tr>
            {[term, average, best, count].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.saveTrm}>
              <th scope="row">{trendCopy.months(row.saveTrm)}</th>
              <td>{trendCopy.yearly(pct(row.average))}</td>
              <td className={styles.best}>{trendCopy.yearly(pct(row.best))}</td>
              <td>{trendCopy.count(unitless(row.count))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Movers({ movers, hrefOf }: { movers: ProductTrend['movers']; hrefOf: (sid: number) => string }) {
  return (
    <Section title={trendCopy.movers}>
      {movers.length === 0 ? (
        <p className={styles.none}>{trendCopy.noMovers}</p>
      ) : (
        <ul>
          {movers.map(({ product, before, after }) => (
            <li key={product.sid}>
              <Link to={hrefOf(product.sid)} className={styles.mover}>
                <span className={styles.moverText}>
                  <span className={styles.moverName}>{product.prdtNm}</span>
                  <span className={styles.moverBank}>{product.bankNm}</span>
                </span>
                <ToneText value={shownPct(after - before)}>{trendCopy.moved(pct(before), pct(after))}</ToneText>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
