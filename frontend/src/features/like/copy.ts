import { market } from '@/shared/copy/copy.shared';

export const likeCopy = {
  screen: '관심 종목',
  tabs: '관심 종목 종류',
  kinds: { ...market.investTab, etf: 'ETF' },
  empty: '관심 종목이 없어요',
  howTo: '하트를 눌러 담아보세요',
  removed: '관심 종목에서 뺐어요',
  failed: '관심 종목을 바꾸지 못했어요. 다시 시도해주세요.',
  signIn: '로그인하면 관심 종목에 담을 수 있어요',
  browse: '종목 둘러보기',
} as const;
