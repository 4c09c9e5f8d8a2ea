import { market } from '@/shared/copy/copy.shared';

export const homeCopy = {
  screen: '홈',
  quick: '바로 가기',
  transfer: '이체',
  points: '포인트 이전',
  waiting: '대기 주문',
  count: (count: number) => `${count}건`,
  profitLoss: '손익',
  browse: '종목 둘러보기',
  popular: '인기 종목',
  popularKinds: '인기 종목 종류',
  kinds: { ...market.investTab, etf: 'ETF' },
  noPopular: '보여드릴 종목이 없어요',
} as const;

/** Shown to visitors first. */
export const welcomeCopy = {
  title: '가상 머니로 시작하는\n투자 연습',
  lead: '주식, 코인, 금을 실시간으로 움직이는 가격에 사고팔아보세요. 잃어도 진짜 돈은 그대로예요.',
  market: '지금 인기 있는 주식',
  helper: '가입하면 연습할 가상 머니를 바로 드려요',
  browse: '둘러보기',
  start: '시작하기',
} as const;

export const firstTradeCopy = {
  title: '첫 거래를 해볼까요?',
  lead: (money: string) => `연습할 가상 머니가 ${money} 있어요.`,
  done: '끝냈어요',
  steps: {
    choose: { title: '종목 고르기', body: '아는 회사부터 골라보세요.' },
    order: { title: '1주만 주문하기', body: '구매하기를 누르고 1주를 시장가로 주문해보세요.' },
    watch: { title: '지켜보기', body: '체결되면 바로 알려드려요. 손익은 이 화면에서 볼 수 있어요.' },
  },
  waiting: { title: '체결을 기다리고 있어요', body: '주문한 가격에 거래가 이뤄지면 보유 종목에 담겨요.' },
  seeWaiting: '대기 주문 보기',
} as const;
