import { useQuery } from '@tanstack/react-query';
import type { Outline } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { date8 } from '@/shared/format/givenDates';
import { isMissing } from '@/shared/format/number';
import { Accordion } from '@/shared/ui/Accordion';
import { Facts } from '@/shared/ui/Facts';
import { company, detail } from './copy';
import { outlineQuery } from './marketQueries';

const EOK = 100_000_000;

/** The company's profile; no section without data. */
export function CompanyOutline({ code }: { code: string }) {
  const { data } = useQuery(outlineQuery(code));
  if (!data) return null;
  const facts = factsOf(data).filter(([, value]) => value !== '');
  if (facts.length === 0) return null;
  return (
    <Accordion title={detail.company}>
      <Facts facts={facts} />
    </Accordion>
  );
}

function factsOf(outline: Outline): [label: string, value: string][] {
  return [
    [company.industry, outline.industry],
    [company.products, outline.products],
    [company.representative, outline.representative],
    [company.establishedDate, day(outline.establishedDate)],
    [company.listDate, day(outline.listDate)],
    [company.settleMonth, outline.settleMonth],
    [company.region, outline.region],
    [company.homePage, outline.homePage],
    [company.marketCap, hundredMillions(outline.marketCapEok)],
    [company.sales, hundredMillions(outline.salesEok)],
    [company.operatingProfit, hundredMillions(outline.operatingProfitEok)],
    [company.per, figure(outline.per)],
    [company.pbr, figure(outline.pbr)],
    [company.roe, figure(outline.roe, '%')],
  ];
}

function hundredMillions(value: number | null | undefined): string {
  return isMissing(value) ? '' : bigWon(value * EOK);
}

function figure(text: string | null | undefined, unit = ''): string {
  return text ? `${text}${unit}` : '';
}

function day(text: string | null | undefined): string {
  if (!text) return '';
  return /^\d{8}$/.test(text) ? date8(text) : text;
}
