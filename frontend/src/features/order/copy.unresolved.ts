import type { OrderBody } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { unitOf } from '@/shared/copy/copy.units';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import type { AttemptOutcome } from './orderAttempt';
import { endReasonSentence, historyCopy, resultCopy } from './copy';

/** The order in a title: 삼성전자 3주 구매 주문. */
export function unresolvedTitle({ isuKorNm, isuSrtCd, juQty, orderAmount, orderCategory, orderGb }: OrderBody): string {
  const { buy, modifyBuy, modifySell } = given.orderKinds;
  const side = given.sides[orderGb === buy || orderGb === modifyBuy ? 'buy' : 'sell'];
  const qty = isMissing(orderAmount) ? quantity(juQty ?? null) + unitOf(orderCategory) : historyCopy.worth(won(orderAmount));
  return `${isuKorNm ?? isuSrtCd} ${qty} ${side} ${orderGb === modifyBuy || orderGb === modifySell ? '정정' : '주문'}`;
}

/** The outcome of an order that was unresolved. */
export function unresolvedBody(outcome: AttemptOutcome, { orderGb, orderCategory }: OrderBody): string {
  switch (outcome.kind) {
    case 'done': {
      const { status, filledAmount, filledQty, remainQty } = outcome.reply.order;
      const qty = (amount: number) => quantity(amount) + unitOf(orderCategory);
      if (status === 'FILLED') return `${checked} ${resultCopy.filledAt(won(filledAmount))}.`;
      if (filledQty > 0) return `${checked} ${status === 'PARTIAL' ? resultCopy.partly(qty(filledQty), qty(remainQty)) : `${qty(filledQty)} 체결되고 끝났어요`}.`;
      const isChange = orderGb === given.orderKinds.modifyBuy || orderGb === given.orderKinds.modifySell;
      return `${checked} ${isChange ? '주문을 바꿨어요' : '주문이 들어갔어요'}. 체결되면 알려드릴게요.`;
    }
    case 'rejected':
      return `${checked} ${outcome.message || resultCopy.failed}`;
    case 'ended':
      return `${checked} ${endReasonSentence(outcome.reason) || '체결되지 않고 끝났어요'}.`;
    case 'unknown':
      return resultCopy.unknownTitle;
  }
}

const checked = '확인하지 못했던 주문을 확인했어요.';
