import { useEffect, useState } from 'react';
import type { ProductDetail } from '@/shared/api/types';
import { interestTypeName } from '@/shared/format/codes';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import { entryValue, type KeypadEntry, type KeypadKey, prefilled, pressKey } from '@/shared/ui/amountEntry';
import { AmountField, MAX_DIGITS } from './AmountField';
import { type AmountProblem, amountProblem, type AmountRange, amountRange, firstAmount } from './amountRange';
import styles from './Calculator.module.css';
import { Choices } from './Choices';
import { productDetail, productList } from './copy';
import { KeypadDock } from './KeypadDock';
import type { InterestRequest } from './productQueries';
import { ResultCard } from './ResultCard';
import { type Choice, distinct, firstChoice, nearest, optionsOf, rateOf } from './terms';
import { useInterest } from './useInterest';

const KEYPAD_RULES = { decimals: 0, maxWholeDigits: MAX_DIGITS };

interface CalculatorProps {
  detail: ProductDetail;
  /** The member's cash, which limits the initial amount; null while unknown. */
  availableWon: number | null;
  /** Called with the terms chosen so far; null while the amount is invalid. */
  onTerms: (terms: InterestRequest | null) => void;
  /** The keypad covers what is at the bottom of the screen. */
  isKeypadOpen: boolean;
  onKeypad: (isOpen: boolean) => void;
}

/** The calculator of a product: term, rate and amount, with the result below. */
export function Calculator({ detail, availableWon, onTerms, isKeypadOpen, onKeypad }: CalculatorProps) {
  const { product } = detail;
  const options = optionsOf(detail);
  const range = amountRange(product);
  const first = firstAmount(product, range, availableWon);
  const [choice, setChoice] = useState<Choice>(() => firstChoice(detail));
  const [isBest, setBest] = useState(true);
  const [typed, setEntry] = useState<KeypadEntry | null>(null);
  const entry = typed ?? prefilled(first, 0);

  const inTerm = options.filter(({ saveTrm }) => saveTrm === choice.saveTrm);
  const rate = { base: rateOf(options, choice, false), best: rateOf(options, choice, true) };
  const amount = entryValue(entry);
  const problem = amountProblem(amount, range);
  const question: InterestRequest = { amount: amount ?? 0, ...choice, best: isBest };
  const { answer, isPending, isUnavailable } = useInterest(product.sid, question, problem === null);

  useEffect(() => {
    onTerms(problem === null && amount !== null ? { amount, ...choice, best: isBest } : null);
  }, [amount, choice, isBest, onTerms, problem]);

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
        onOpenKeypad={() => onKeypad(true)}
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
          onDone={() => onKeypad(false)}
        />
      )}
    </section>
  );
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
