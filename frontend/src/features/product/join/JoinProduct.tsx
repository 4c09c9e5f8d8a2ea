import { useState } from 'react';
import type { ContractBody, ContractReply, ProductDetail, ProductOption } from '@/shared/api/types';
import { interestTypeName } from '@/shared/format/codes';
import { kstParts } from '@/shared/format/kst';
import { isMissing } from '@/shared/format/number';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyDone } from '@/shared/money/MoneyDone';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { productHref } from '@/shared/paths';
import { Amount } from '@/shared/ui/Amount';
import { Avatar } from '@/shared/ui/Avatar';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button, ButtonLink } from '@/shared/ui/Button';
import { Checkbox } from '@/shared/ui/Checkbox';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { state } from '@/shared/copy/copy.shared';
import { useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { Choices } from '@/features/product/Choices';
import { productDetail, productList } from '@/features/product/copy';
import { ResultCard } from '@/features/product/ResultCard';
import { useInterest } from '@/features/product/useInterest';
import { joinCopy } from './copy';
import styles from './Join.module.css';
import { joinProduct } from './joinApi';
import type { JoinTerms } from './joinTerms';
import { TransferDay } from './TransferDay';

interface JoinProductProps {
  memberSid: number;
  detail: ProductDetail;
  option: ProductOption;
  terms: JoinTerms;
  /** Cash of the basic account that can be used; null while unknown. */
  availableWon: number | null;
  onSeeContract: (acno: string) => void;
  onClose: () => void;
}

const ACTIONS = ['PAY', 'RENEW', 'KEEP'] as const;
const HELPER_ID = 'join-helper';

/** Joins a deposit or savings plan at the terms chosen in the calculator: what is left to decide, the result, the confirmation. */
export function JoinProduct({ memberSid, detail, option, terms, availableWon, onSeeContract, onClose }: JoinProductProps) {
  const { product } = detail;
  const isFree = terms.rsrvType === 'F';
  const isRegular = product.prdtTcd === '04' && !isFree;
  const [isPreferential, setPreferential] = useState(terms.best);
  const [maturityAction, setMaturityAction] = useState<(typeof ACTIONS)[number]>('PAY');
  const [transferDay, setTransferDay] = useState(() => kstParts(new Date()).day);
  const [isConfirming, setConfirming] = useState(false);
  const isOnline = useIsOnline();
  const question = { amount: terms.amount, saveTrm: terms.saveTrm, intrRateType: terms.intrRateType, rsrvType: terms.rsrvType, best: isPreferential };
  const { answer, isPending, isUnavailable } = useInterest(product.sid, question, true);
  const attempt = useMoneyAttempt<Omit<ContractBody, 'reqSid'>, ContractReply>({
    memberSid,
    purpose: `join ${product.sid}`,
    send: joinProduct,
    doneText: () => joinCopy.done(product.prdtNm),
  });
  const outcome = attempt.outcome;
  const amountWord = isFree ? joinCopy.firstAmount : joinCopy.amount[product.prdtTcd];
  if (outcome?.kind === 'done') {
    const { contract } = outcome.reply;
    return (
      <MoneyDone
        title={joinCopy.done(product.prdtNm)}
        facts={[
          [amountWord, <Amount>{won(contract.amount)}</Amount>],
          [joinCopy.rate, joinCopy.yearly(pct(contract.rate))],
          [joinCopy.maturesOn, contract.maturesOn.replaceAll('-', '.')],
          // Of free saving it counts only the first payment, which says little.
          ...(isFree ? [] : [[joinCopy.payoutLabel, <Amount>{won(contract.payoutAtMaturity)}</Amount>] as const]),
        ]}
        more={{ label: joinCopy.see, onClick: () => onSeeContract(contract.acno) }}
        onClose={onClose}
      />
    );
  }

  const base = option.intrRate ?? null;
  const best = option.intrRate2 ?? null;
  const rate = isPreferential ? best : base;
  const missing = availableWon === null ? 0 : terms.amount - availableWon;
  const blocked = !isOnline
    ? state.offlineBlocked
    : base === null || rate === null
      ? joinCopy.notOffered
      : missing > 0
        ? joinCopy.tooMuch(won(missing))
        : isUnavailable
          ? productDetail.unavailable
          : null;
  // The member decides by the sums of the terms that are sent.
  const isReckoning = isPending || answer === null;
  const { isInterrupted } = attempt;
  if (isInterrupted && isConfirming) setConfirming(false);
  const agreed: Fact[] = [
    [amountWord, won(terms.amount)],
    [joinCopy.term, joinCopy.months(terms.saveTrm)],
    [joinCopy.interestType, interestTypeName(terms.intrRateType)],
    ...(terms.rsrvType ? [[joinCopy.reserve, productList.reserve[terms.rsrvType]] as const] : []),
  ];

  return (
    <>
      <TopBar title={joinCopy.screen} backTo={productHref(product.sid)} />
      <main id="main">
        <section className={styles.hero} aria-label={product.prdtNm}>
          <p className={styles.bank}>
            <Avatar name={product.bankNm} size={32} />
            <span>{product.bankNm}</span>
          </p>
          <p className={styles.name}>{product.prdtNm}</p>
          <Facts facts={agreed} />
          <div className={styles.change}>
            <ButtonLink to={productHref(product.sid)} tone="text" replace>
              {joinCopy.change}
            </ButtonLink>
          </div>
        </section>
        <section className={styles.section}>
          {!isMissing(best) && best !== base && (
            <div className={styles.preference}>
              <Checkbox checked={isPreferential} onChange={setPreferential}>
                {joinCopy.preferential}
              </Checkbox>
              <p className={styles.note}>{joinCopy.preferentialNote(pct(base), pct(best))}</p>
              {product.joinConditions.trim() === '' ? (
                <p className={styles.note}>{productDetail.noConditions}</p>
              ) : (
                <details className={styles.conditions}>
                  <summary>{joinCopy.conditions}</summary>
                  <p>{product.joinConditions}</p>
                </details>
              )}
            </div>
          )}
          {isRegular && <TransferDay value={transferDay} onChange={setTransferDay} />}
          <Choices
            legend={joinCopy.action}
            values={ACTIONS}
            labelOf={(action) => joinCopy.actions[action]}
            value={maturityAction}
            onChange={setMaturityAction}
          />
          <p className={styles.note}>{joinCopy.actionNotes[maturityAction]}</p>
        </section>
        <section className={styles.section}>
          <ResultCard
            interest={answer}
            isPending={isPending}
            isUnavailable={isUnavailable}
            months={terms.saveTrm}
            taxRate={detail.taxRate}
            insuredWon={detail.depositInsuranceLimit}
            needsConditions={isPreferential}
          />
        </section>
        <BottomCTA helper={blocked ?? (isReckoning ? joinCopy.calculating : availableWon === null ? null : joinCopy.from(won(availableWon)))} helperId={HELPER_ID}>
          <Button size="large" block disabled={blocked !== null || isReckoning} describedBy={HELPER_ID} onClick={() => setConfirming(true)}>
            {joinCopy.open}
          </Button>
        </BottomCTA>
      </main>
      <ConfirmMoney
        open={isConfirming}
        title={joinCopy.question(product.prdtNm)}
        note={isFree ? joinCopy.freeNote : isRegular ? joinCopy.regularNote : joinCopy.freeze}
        // Few enough that the sum is in view on the smallest phone; the screen behind has the rest.
        facts={[
          [amountWord, won(terms.amount)],
          [joinCopy.term, joinCopy.months(terms.saveTrm)],
          [joinCopy.rate, joinCopy.yearly(pct(rate))],
          ...(isRegular ? [[joinCopy.transferDay, joinCopy.day(transferDay)] as const] : []),
          [joinCopy.action, joinCopy.actions[maturityAction]],
          ...(availableWon === null ? [] : [[joinCopy.left, won(availableWon - terms.amount)] as const]),
          [joinCopy.interestAfterTax, won(answer?.interestAfterTax)],
        ]}
        sum={[isFree ? joinCopy.freePayoutLabel : joinCopy.payoutLabel, won(answer?.payout)]}
        word={joinCopy.open}
        isSending={attempt.isSending}
        isBlocked={blocked !== null || isReckoning}
        onConfirm={() =>
          attempt.submit({
            memberSid,
            productSid: product.sid,
            saveTrm: terms.saveTrm,
            ...(terms.rsrvType === null ? {} : { rsrvType: terms.rsrvType }),
            amount: terms.amount,
            ...(isRegular ? { transferDay } : {}),
            preferential: isPreferential,
            maturityAction,
          })
        }
        onClose={() => setConfirming(false)}
      />
      <MoneyFailure attempt={attempt} title={joinCopy.failed} />
    </>
  );
}
