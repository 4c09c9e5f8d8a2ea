import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ProductDetail } from '@/shared/api/types';
import { interestTypeName } from '@/shared/format/codes';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { entryValue, type KeypadEntry, type KeypadKey, prefilled, pressKey } from '@/shared/ui/amountEntry';
import { announce } from '@/shared/ui/screenAnnouncer';
import { useIsOnline } from '@/shared/ui/States';
import { AmountField, MAX_DIGITS } from './AmountField';
import { type AmountProblem, amountProblem, type AmountRange, amountRange } from './amountRange';
import styles from './Calculator.module.css';
import { Choices } from './Choices';
import { productDetail, productList } from './copy';
import { interestAtMaturity, interestByMonth, type InterestInput, type InterestMonth, type InterestResult } from './interest';
import { KeypadDock } from './KeypadDock';
import { interestQuery, type InterestRequest } from './productQueries';
import { ResultCard } from './ResultCard';
import { type Choice, distinct, firstChoice, nearest, optionsOf, rateOf } from './terms';
import { useDebounced } from '@/shared/ui/useDebounced';

const KEYPAD_RULES = { decimals: 0, maxWholeDigits: MAX_DIGITS };
const DEBOUNCE_MS = 300;

/** The calculator of a product: term, rate and amount, with the result below. */
export function Calculator({ detail }: { detail: ProductDetail }) {
  const { product } = detail;
  const options = optionsOf(detail);
  const range = amountRange(product);
  const [choice, setChoice] = useState<Choice>(() => firstChoice(detail));
  const [isBest, setBest] = useState(true);
  const [entry, setEntry] = useState<KeypadEntry>(() => prefilled(range.first, 0));
  const [isKeypadOpen, setKeypadOpen] = useState(false);

  const inTerm = options.filter(({ saveTrm }) => saveTrm === choice.saveTrm);
  const rate = { base: rateOf(options, choice, false), best: rateOf(options, choice, true) };
  const amount = entryValue(entry);
  const problem = amountProblem(amount, range);
  const question: InterestRequest = { amount: amount ?? 0, ...choice, best: isBest };
  const result = useInterest(detail, question, isBest ? rate.best : rate.base, problem === null);

  const choose = (change: Partial<Choice>) => setChoice(nearest(options, { ...choice, ...change }));
  const press = (key: KeypadKey) => {
    const next = pressKey(entry, key, KEYPAD_RULES);
    if (next === entry || amountProblem(entryValue(next), range) === 'tooMuch') haptic('warning');
    setEntry(next);
  };

  return (
    <section className={styles.section} aria-labelledby="calculator">
      <h2 id="calculator" className={styles.heading}>
        {productDetail.calculator}
      </h2>
      <Choices
        legend={productDetail.term}
        values={distinct(options.map(({ saveTrm }) => saveTrm))}
        labelOf={productList.months}
        value={choice.saveTrm}
        onChange={(saveTrm) => choose({ saveTrm })}
      />
      <Choices
        legend={productDetail.interestType}
        values={distinct(inTerm.map(({ intrRateType }) => intrRateType))}
        labelOf={interestTypeName}
        value={choice.intrRateType}
        onChange={(intrRateType) => choose({ intrRateType })}
      />
      <Choices
        legend={productDetail.reserveType}
        values={distinct(inTerm.flatMap(({ rsrvType }) => (rsrvType ? [rsrvType] : [])))}
        labelOf={(type) => productList.reserve[type]}
        value={choice.rsrvType ?? 'S'}
        onChange={(rsrvType) => choose({ rsrvType })}
      />
      <Choices
        legend={productDetail.rate}
        values={rate.base === rate.best ? [] : (['best', 'base'] as const)}
        labelOf={(which) => (which === 'best' ? productDetail.rateBest(pct(rate.best)) : productDetail.rateBase(pct(rate.base)))}
        value={isBest ? 'best' : 'base'}
        onChange={(which) => setBest(which === 'best')}
      />
      <AmountField
        label={productDetail.amount[product.prdtTcd]}
        entry={entry}
        range={range}
        error={problem && problemSentence(problem, range)}
        onOpenKeypad={() => setKeypadOpen(true)}
        onChange={setEntry}
      />
      <ResultCard
        result={result.sums}
        months={choice.saveTrm}
        schedule={result.schedule}
        taxRate={detail.taxRate}
        insuredWon={detail.depositInsuranceLimit}
        needsConditions={isBest && rate.base !== rate.best}
      />
      {isKeypadOpen && (
        <KeypadDock
          line={result.sums ? productDetail.result(choice.saveTrm, won(result.sums.payout)) : productDetail.amountHint}
          onKey={press}
          onDone={() => setKeypadOpen(false)}
        />
      )}
    </section>
  );
}

interface Outlook {
  /** Null while the amount is invalid. */
  sums: InterestResult | null;
  schedule: () => readonly InterestMonth[];
}

/** The server's result; until it arrives, and offline, ours by the same rules. */
function useInterest(detail: ProductDetail, question: InterestRequest, ratePercent: number, isSensible: boolean): Outlook {
  const isOnline = useIsOnline();
  const settledAmount = useDebounced(question.amount, DEBOUNCE_MS);
  const isSettled = settledAmount === question.amount;
  const { data, isPlaceholderData } = useQuery({
    ...interestQuery(detail.product.sid, question),
    enabled: isSensible && isSettled && isOnline,
  });
  const input: InterestInput = {
    amount: question.amount,
    ratePercent,
    months: question.saveTrm,
    type: question.intrRateType,
    isMonthly: detail.product.prdtTcd === '04',
  };
  const own = isSensible ? interestAtMaturity(input) : null;
  const isAnswer = data !== undefined && !isPlaceholderData && isSettled;
  const result = own && isAnswer ? data : own;
  useAnnouncedResult(isAnswer && result ? productDetail.result(question.saveTrm, won(result.payout)) : null);
  return { sums: result, schedule: () => (isAnswer && data.schedule.length > 0 ? data.schedule : interestByMonth(input)) };
}

/** Announces a new result once it is stable; the first one is read with the screen. */
function useAnnouncedResult(sentence: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (sentence === null || sentence === last.current) return;
    if (last.current !== null) announce(sentence);
    last.current = sentence;
  }, [sentence]);
}

function problemSentence(problem: AmountProblem, { least, most }: AmountRange): string {
  switch (problem) {
    case 'empty':
      return productDetail.amountHint;
    case 'tooLittle':
      return productDetail.tooLittle(won(least));
    case 'tooMuch':
      return productDetail.tooMuch(won(most));
  }
}
