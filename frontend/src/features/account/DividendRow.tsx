import type { Dividend } from '@/shared/api/types';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Avatar } from '@/shared/ui/Avatar';
import { EntryRow } from '@/shared/ui/EntryRow';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import { Amount } from '@/shared/ui/Amount';
import { dividendCopy } from './copy.dividend';
import styles from './Dividends.module.css';

/** One dividend: security, date and net amount. An unpaid one is an estimate. */
export function DividendRow({ dividend, to }: { dividend: Dividend; to: string }) {
  const { net, tax, fxRate } = dividend;
  const terms = dividendCopy.terms(quantity(dividend.qty), money(dividend.amount, dividend.currency));
  return (
    <EntryRow
      to={to}
      lead={<Avatar name={dividend.isuKorNm} />}
      name={
        <>
          {dividend.isuKorNm} <MarketFlag marketCode={dividend.marketCode} />
        </>
      }
      detail={
        <>
          <span className={styles.part}>{isMissing(fxRate) ? terms : `${terms} · `}</span>
          {!isMissing(fxRate) && <span className={styles.part}>{dividendCopy.rate(won(fxRate))}</span>}
        </>
      }
      more={dividendCopy.days(shortDay(dividend.exDay), shortDay(dividend.payDay))}
      value={
        <>
          {dividend.status !== 'PAID' && !isMissing(net) && <span className={styles.expected}>{`${dividendCopy.expected} `}</span>}
          <Amount>{won(net)}</Amount>
        </>
      }
      note={isMissing(tax) ? dividendCopy.rateAwaited : <Amount>{dividendCopy.tax(won(tax))}</Amount>}
    />
  );
}

// The year is in the month's heading; `2026-11-09` → `11.09`.
function shortDay(day: string): string {
  return day.slice(5).replace('-', '.');
}
