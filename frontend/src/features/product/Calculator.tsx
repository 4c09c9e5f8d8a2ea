import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Interest, ProductDetail } from '@/shared/api/types';
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
import { KeypadDock } from './KeypadDock';
import { interestQuery, type InterestRequest } from './productQueries';
import { ResultCard } from './ResultCard';
import { type Choice, distinct, firstChoice, nearest, optionsOf, rateOf } from './terms';
import { useDebounced } from '@/shared/ui/useDebounced';

const KEYPAD_RULES = { decimals: 0, maxWholeDigits: MAX_DIGITS };
const DEBOUNCE_MS = 120;
const RETRY_MS = 5_000;

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
  const { answer, isPending, isUnavailable } = useInterest(product.sid, question, problem === null);

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
        interest={answer}
        isPending={isPending}
        isUnavailable={isUnavailable}
        months={choice.saveTrm}
        taxRate={detail.taxRate}
        insuredWon={detail.depositInsuranceLimit}
        needsConditions={isBest && rate.base !== rate.best}
      />
      {isKeypadOpen && (
        <KeypadDock
          line={answer ? productDetail.result(answer.saveTrm, won(answer.payout)) : productDetail.amountHint}
          onKey={press}
          onDone={() => setKeypadOpen(false)}
        />
      )}
    </section>
  );
}

interface InterestAnswer {
  /** Null without a valid amount, and before the first answer. */
  answer: Interest | null;
  /** The answer to this question is under way; `answer` is the one before. */
  isPending: boolean;
  /** This question has no answer: offline, or the server failed. */
  isUnavailable: boolean;
}

/** What the server computes for the question, with one request under way at a time. */
function useInterest(productSid: number, question: InterestRequest, isSensible: boolean): InterestAnswer {
  const isOnline = useIsOnline();
  const settledAmount = useDebounced(question.amount, DEBOUNCE_MS);
  const isSettled = settledAmount === question.amount;
  const { data, isPlaceholderData, isError } = useQuery({
    ...interestQuery(productSid, question),
    enabled: isSensible && isSettled && isOnline,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
  const isAnswer = data !== undefined && !isPlaceholderData && isSettled;
  useAnnouncedResult(isSensible && isAnswer ? productDetail.result(question.saveTrm, won(data.payout)) : null);
  const isUnavailable = isSensible && !isAnswer && (isError || !isOnline);
  return { answer: isSensible && !isUnavailable ? (data ?? null) : null, isPending: isSensible && !isAnswer && !isUnavailable, isUnavailable };
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
