import { givenLater } from '@/shared/copy/copy.given.later';
import { pointUnit } from './copy.unit';

export const pointCopy = {
  screen: '포인트 이전',
  balance: '내 포인트',
  points: pointUnit,
  unit: 'P',
  amount: '포인트를 얼마나 옮길까요?',
  placeholder: '포인트를 입력해주세요',
  most: (points: string) => `최대 ${points}까지 옮길 수 있어요`,
  tooMuch: '가진 포인트보다 많아요',
  preview: (amount: string) => `계좌에 ${amount}이 들어와요`,
  benefit: (level: string, times: string) => `${level} 혜택 ${times}배`,
  rate: (won: string) => `1P는 ${won}이에요`,
  next: '계좌로 옮기기',
  question: (points: string) => `${points}를 계좌로 옮길까요?`,
  irreversible: '옮긴 포인트는 되돌릴 수 없어요.',
  facts: { points: '옮길 포인트', base: '기본 금액', benefit: '레벨 혜택', sum: '계좌에 들어올 돈' },
  times: (times: string) => `${times}배`,
  done: (amount: string) => `계좌에 ${amount}을 넣었어요`,
  doneFacts: { points: '옮긴 포인트', times: '레벨 혜택', left: '남은 포인트', deposit: '계좌 잔액' },
  failedTitle: '포인트를 옮기지 못했어요',
  failed: givenLater.pointTransferFailed,
  /** The given reasons of a failure. */
  reasons: { INSUFFICIENT_POINTS: '잔액 부족', COMPETITION_LOCKED: '대회 계좌 불가', REQ_SID_REUSED: '이미 처리된 요청' },
  empty: '아직 포인트가 없어요',
  quiz: '퀴즈 풀기',
  today: (earned: string, cap: string) => `오늘 ${earned} 모았어요 · 하루 최대 ${cap}`,
  history: '포인트 내역',
  seeHistory: '내역 보기',
} as const;

export const pointHistoryCopy = {
  screen: '포인트 내역',
  empty: '아직 포인트 내역이 없어요',
  totals: { earned: '모은 포인트', moved: '옮긴 포인트', spent: '쓴 포인트' },
  kinds: { EARNED: '모았어요', MOVED: '계좌로 옮겼어요', SPENT: '썼어요' },
  earnedBy: { QUIZ: '퀴즈', SET: '오늘의 퀴즈 완료', ARTICLE: '아티클', SURVEY: '설문', STREAK: '연속 학습', PRIZE: '대회 상금' } as Readonly<Record<string, string>>,
  spentOn: { STREAK_REPAIR: '연속 학습 되살리기' } as Readonly<Record<string, string>>,
  became: (amount: string, times: string) => `${amount} · ${times}배`,
} as const;
