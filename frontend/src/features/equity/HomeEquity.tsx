import { useQuery } from '@tanstack/react-query';
import { moneyPaths } from '@/shared/moneyPaths';
import { Section } from '@/shared/ui/Section';
import { equityCopy } from './copy';
import { EquityChart } from './EquityChart';
import { equityQuery } from './equityQuery';
import styles from './Equity.module.css';

/** Three months of the member's equity on home, as soon as there are two days; the whole of it is on the screen of profit and loss. */
export function HomeEquity({ memberSid }: { memberSid: number }) {
  const { data } = useQuery(equityQuery(memberSid, 'THREE_MONTH', null));
  if (!data || data.points.length < 2) return null;
  return (
    <Section title={equityCopy.title} all={moneyPaths.profitLoss}>
      <div className={styles.home}>
        <EquityChart points={data.points} returnRt={data.returnRt} endsNow />
      </div>
    </Section>
  );
}
