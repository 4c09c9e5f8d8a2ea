import { Link } from 'react-router';
import type { Dividend } from '@/shared/api/types';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Avatar } from '@/shared/ui/Avatar';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { Amount } from './Amount';
import { dividendCopy } from './copy.dividend';
import styles from './Dividends.module.css';

/** One dividend: what it is for, when, and what reaches the account. What is not paid yet is an expectation. */
export function DividendRow({ dividend, to }: { dividend: Dividend; to: string }) {
  const { net, tax, fxRate } = dividend;
  const terms = dividendCopy.terms(quantity(dividend.qty), money(dividend.amount, dividend.currency));
  return (
    <Link to={to} className={styles.row}>
      <Avatar name={dividend.isuKorNm} />
      <span className={styles.text}>
        <span className={styles.name}>
          {dividend.isuKorNm} <MarketFlag marketCode={dividend.marketCode} />
        </span>
        <span className={styles.meta}>
          <span className={styles.part}>{isMissing(fxRate) ? terms : `${terms} · `}</span>
          {!isMissing(fxRate) && <span className={styles.part}>{dividendCopy.rate(won(fxRate))}</span>}
        </span>
        <span className={styles.meta}>{dividendCopy.days(shortDay(dividend.exDay), shortDay(dividend.payDay))}</span>
      </span>
      <span className={styles.worth}>
        <span className={styles.net}>
          {dividend.status !== 'PAID' && !isMissing(net) && <span className={styles.expected}>{`${dividendCopy.expected} `}</span>}
          <Amount>{won(net)}</Amount>
        </span>
        <span className={styles.meta}>{isMissing(tax) ? dividendCopy.rateAwaited : <Amount>{dividendCopy.tax(won(tax))}</Amount>}</span>
      </span>
    </Link>
  );
}

// The month's heading says the year; `2026-11-09` → `11.09`.
function shortDay(day: string): string {
  return day.slice(5).replace('-', '.');
}
